// The state of a lane, and its readiness: it may be claimed from now, or waits for an event. A lane may have a multiple of the
// slots that are free (decision: slot shares; Choudhury and Hahne, 1998): a single lane gets nearly all slots, many lanes get equal shares.

import { shareOfLimit } from "../board/share.js";
import { type LeasedTokens, leasedLeft } from "../board/slice.js";
import type { DestinationId, EpochMs, MonoMs } from "../ids.js";
import type { RateLimit } from "../intake/rate-limit.js";
import type { Pace } from "./pace.js";
import { nextTokenAt, type RateTokens, tokensLeft } from "./tokens.js";
import { MAX_SLOTS_PER_FREE_SLOT } from "../limits.js";

/** The state of a lane, as far as the decisions about lanes need it. */
export interface LaneState {
  readonly lane: DestinationId;
  /** True if it may be claimed from at all: its destination is enabled, not paused, and in the settings. */
  readonly isOpen: boolean;
  /** Its unfinished deliveries, those in flight included, as far as this process knows. */
  readonly deliveries: number;
  /** The bytes of the bodies of these deliveries. */
  readonly bytes: number;
  /** Its deliveries in flight: those that this process has claimed, and those for which a slot is reserved. */
  readonly inFlight: number;
  /** The number of deliveries in flight whose round has started. The others wait in the queue of the lane. */
  readonly running: number;
  /** True if a claim for this lane is in flight. Slots are reserved for the deliveries that the claim may return. */
  readonly isClaiming: boolean;
  /** The instant at which its next delivery can be claimed; undefined if none is known. */
  readonly nextDueAt: EpochMs | undefined;
  readonly pace: Pace;
  /** Undefined: no limit on the rate. */
  readonly rateLimit: RateLimit | undefined;
  readonly tokens: RateTokens | undefined;
  /** Undefined: no other process delivers, and the other fields decide alone. */
  readonly onBoard?: LaneOnBoard | undefined;
}

/** The allowance of the board for this process in a lane that several processes share (decision: lane board). */
export interface LaneOnBoard {
  /** The part of the limit that it may use, from 0 to 1. */
  readonly share: number;
  /** The end of the time in which it may send the probe that it has taken; undefined if it has none. */
  readonly probeUntil: MonoMs | undefined;
  /** True if a probe may be taken before its time. */
  readonly isHastened: boolean;
  /** The tokens that it has taken. `tokens` of the lane has no meaning then. */
  readonly leased: LeasedTokens;
}

/** The current time by both clocks, and how many slots of all lanes are free. */
export interface LaneMoment {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
  readonly free: number;
}

/** The readiness of a lane for a claim, or the event that it waits for. */
export type LaneReadiness =
  /** No delivery of the lane is known, the lane is closed, or it has no free slot. It waits for an event that changes this. */
  | { readonly kind: "idle" }
  /** The next delivery of the lane is due at `at`. */
  | { readonly kind: "due"; readonly at: EpochMs }
  /** The lane waits until a probe of its backoff, or a token of its rate limit, is allowed. */
  | { readonly kind: "paused"; readonly until: MonoMs }
  /** The lane has its full share of all slots. It may take another slot once `free` slots are free. */
  | { readonly kind: "crowded"; readonly free: number }
  /** The lane waits for the board: a probe, or tokens of its rate limit, must be taken first. */
  | { readonly kind: "asking" }
  /** The lane may be claimed from now. */
  | { readonly kind: "ready" };

const IDLE: LaneReadiness = { kind: "idle" };

const READY: LaneReadiness = { kind: "ready" };

const ASKING: LaneReadiness = { kind: "asking" };

/** Decides if a lane may be claimed from now; if not, for which event it waits. */
export function readinessOf(lane: LaneState, now: LaneMoment): LaneReadiness {
  const { isOpen, nextDueAt } = lane;
  if (!isOpen || nextDueAt === undefined || freeSlots(lane) <= 0) return IDLE;
  if (nextDueAt > now.wall) return { kind: "due", at: nextDueAt };
  const until = pausedUntil(lane, now.monotonic);
  if (until > now.monotonic) return { kind: "paused", until };
  if (lane.onBoard !== undefined && (lacksProbe(lane, now.monotonic) || lacksTokens(lane, now.monotonic)))
    return ASKING;
  const free = freeSlotsNeeded(lane.inFlight);
  return free > now.free ? { kind: "crowded", free } : READY;
}

/** The number of further deliveries of a lane that may be claimed, by its limit alone. In backoff: one, if none is in flight. */
function freeSlots(lane: LaneState): number {
  if (lane.pace.backoff !== undefined) return lane.inFlight === 0 ? 1 : 0;
  return usableLimit(lane) - lane.inFlight;
}

/** The number of deliveries of a lane that this process may have in flight. */
export function usableLimit({ pace, onBoard }: Pick<LaneState, "pace" | "onBoard">): number {
  return onBoard === undefined ? pace.limit : shareOfLimit(pace.limit, onBoard.share);
}

/** True if only a probe may be sent, and this process would have to take it first. */
export function lacksProbe({ pace, onBoard }: Pick<LaneState, "pace" | "onBoard">, now: MonoMs): boolean {
  if (onBoard === undefined || pace.backoff === undefined || pace.backoff.reason === "blocked") return false;
  return onBoard.probeUntil === undefined || now >= onBoard.probeUntil;
}

/** True if the lane has a rate limit, and this process would have to take tokens first. */
export function lacksTokens({ rateLimit, onBoard }: Pick<LaneState, "rateLimit" | "onBoard">, now: MonoMs): boolean {
  return onBoard !== undefined && rateLimit !== undefined && leasedLeft(onBoard.leased, now) <= 0;
}

/** The number of further deliveries of a lane that its rate limit lets this process start now. */
export function startableByRate({ rateLimit, tokens, onBoard }: LaneState, now: MonoMs): number {
  if (rateLimit === undefined) return Infinity;
  return onBoard === undefined ? tokensLeft(rateLimit, tokens, now) : leasedLeft(onBoard.leased, now);
}

/** True if a further round of a lane may start. In backoff: only if no round is running. */
export function mayStartRound(lane: LaneState): boolean {
  return lane.running < (lane.pace.backoff === undefined ? usableLimit(lane) : 1);
}

/** The number of slots that a ready lane can use, by its limit, its waiting deliveries and its tokens: at least one. */
export function usableSlots(lane: LaneState, now: MonoMs): number {
  return Math.min(wantedSlots(lane), Math.max(1, startableByRate(lane, now)));
}

/** The number of slots that a ready lane could use, regardless of its tokens: at least one. */
export function wantedSlots(lane: LaneState): number {
  const claimable = Math.max(1, lane.deliveries - lane.inFlight);
  return Math.min(freeSlots(lane), claimable);
}

function pausedUntil(lane: LaneState, now: MonoMs): MonoMs {
  if (lane.onBoard !== undefined) return askableAt(lane, lane.onBoard, now);
  const { pace, rateLimit, tokens } = lane;
  const probeAt = pace.backoff?.probeAt ?? now;
  const tokenAt = rateLimit === undefined ? now : nextTokenAt(rateLimit, tokens, now);
  return probeAt > tokenAt ? probeAt : tokenAt;
}

/** The instant at which the board may be asked for the probe or the tokens that the lane lacks; `now` if it lacks nothing. */
function askableAt(lane: LaneState, { isHastened, leased }: LaneOnBoard, now: MonoMs): MonoMs {
  const { backoff } = lane.pace;
  const needsNoProbe = backoff === undefined || isHastened || !(backoff.reason === "blocked" || lacksProbe(lane, now));
  const probeAt = needsNoProbe ? now : backoff.probeAt;
  const tokenAt = lacksTokens(lane, now) ? leased.askAt : now;
  return probeAt > tokenAt ? probeAt : tokenAt;
}

/** The number of further slots for a lane with `inFlight` deliveries if `free` slots are free. At most `free`. */
export function slotsInShare(inFlight: number, free: number): number {
  // Each slot that the lane takes is one more slot of the lane, and one free slot less.
  return Math.max(0, Math.ceil((MAX_SLOTS_PER_FREE_SLOT * free - inFlight) / (MAX_SLOTS_PER_FREE_SLOT + 1)));
}

/** The number of free slots that a lane with `inFlight` deliveries needs in order to take one more. */
export function freeSlotsNeeded(inFlight: number): number {
  return Math.floor(inFlight / MAX_SLOTS_PER_FREE_SLOT) + 1;
}
