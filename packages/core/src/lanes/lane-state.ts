// The state of a lane, and the decision whether it may be claimed from now, or what it waits for. Must not know other lanes,
// except for the number of free slots.

import type { DestinationId, EpochMs, MonoMs } from "../ids.js";
import type { RateLimit } from "../intake/rate-limit.js";
import { freeSlotsNeeded } from "./lane-share.js";
import type { Pace } from "./pace.js";
import { nextTokenAt, type RateTokens, tokensLeft } from "./tokens.js";

/** The state of a lane, as far as the decisions about lanes need it. */
export interface LaneState {
  readonly lane: DestinationId;
  /** Whether it may be claimed from at all: its destination is enabled, not paused, and in the settings. */
  readonly isOpen: boolean;
  /** Its unfinished deliveries, those in flight included, as far as this process knows. */
  readonly deliveries: number;
  /** The bytes of the bodies of these deliveries. */
  readonly bytes: number;
  /** Its deliveries in flight: those that this process has claimed, and those for which a slot is reserved. */
  readonly inFlight: number;
  /** The number of deliveries in flight whose round has started. The others wait in the queue of the lane. */
  readonly running: number;
  /** Whether a claim for this lane is in flight. Slots are reserved for the deliveries that the claim may return. */
  readonly isClaiming: boolean;
  /** When its next delivery can be claimed; undefined if none is known. */
  readonly nextDueAt: EpochMs | undefined;
  readonly pace: Pace;
  /** Undefined: no limit on the rate. */
  readonly rateLimit: RateLimit | undefined;
  readonly tokens: RateTokens | undefined;
}

/** The current time by both clocks, and how many slots of all lanes are free. */
export interface LaneMoment {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
  readonly free: number;
}

/** Whether a lane may be claimed from, or what it waits for. */
export type LaneReadiness =
  /** No delivery of the lane is known, the lane is closed, or it has no free slot. It waits for an event that changes this. */
  | { readonly kind: "idle" }
  /** The next delivery of the lane is due at `at`. */
  | { readonly kind: "due"; readonly at: EpochMs }
  /** The lane waits until a probe of its backoff, or a token of its rate limit, is allowed. */
  | { readonly kind: "paused"; readonly until: MonoMs }
  /** The lane has its full share of all slots. It may take another slot once `free` slots are free. */
  | { readonly kind: "crowded"; readonly free: number }
  /** The lane may be claimed from now. */
  | { readonly kind: "ready" };

const IDLE: LaneReadiness = { kind: "idle" };
const READY: LaneReadiness = { kind: "ready" };

/** Whether a lane may be claimed from now, or what it waits for. */
export function readinessOf(lane: LaneState, now: LaneMoment): LaneReadiness {
  const { isOpen, nextDueAt } = lane;
  if (!isOpen || nextDueAt === undefined || freeSlots(lane) <= 0) return IDLE;
  if (nextDueAt > now.wall) return { kind: "due", at: nextDueAt };
  const until = pausedUntil(lane, now.monotonic);
  if (until > now.monotonic) return { kind: "paused", until };
  const free = freeSlotsNeeded(lane.inFlight);
  return free > now.free ? { kind: "crowded", free } : READY;
}

/** How many more deliveries of a lane may be claimed, by its limit alone. In backoff: one, if none is in flight. */
export function freeSlots({ pace, inFlight }: LaneState): number {
  if (pace.backoff !== undefined) return inFlight === 0 ? 1 : 0;
  return pace.limit - inFlight;
}

/** Whether a further round of a lane may start. In backoff: only if no round is running. */
export function mayStartRound({ pace, running }: LaneState): boolean {
  return running < (pace.backoff === undefined ? pace.limit : 1);
}

/** How many slots a lane that is ready can use, by its limit, its waiting deliveries and its tokens: at least one. */
export function usableSlots(lane: LaneState, now: MonoMs): number {
  const waiting = Math.max(1, lane.deliveries - lane.inFlight);
  const tokens = lane.rateLimit === undefined ? Infinity : Math.max(1, tokensLeft(lane.rateLimit, lane.tokens, now));
  return Math.min(freeSlots(lane), waiting, tokens);
}

function pausedUntil({ pace, rateLimit, tokens }: LaneState, now: MonoMs): MonoMs {
  const probeAt = pace.backoff?.probeAt ?? now;
  const tokenAt = rateLimit === undefined ? now : nextTokenAt(rateLimit, tokens, now);
  return probeAt > tokenAt ? probeAt : tokenAt;
}
