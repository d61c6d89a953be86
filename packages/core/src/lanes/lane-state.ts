// A lane as its decisions see it, and where it stands because of them: what keeps it from its turn, if anything. Plain data.

import type { DestinationId, EpochMs, MonoMs } from "../ids.js";
import type { RateLimit } from "../intake/rate-limit.js";
import { freeFor } from "./lane-share.js";
import type { Pace } from "./pace.js";
import { nextTokenAt, type Tokens, tokensLeft } from "./tokens.js";

export interface LaneState {
  readonly lane: DestinationId;
  /** Whether it may be claimed at all: not off, not paused, not gone from the settings. */
  readonly isOpen: boolean;
  /** What it holds, as far as is known: unfinished deliveries, those under way included. */
  readonly deliveries: number;
  /** The bytes of their bodies. */
  readonly bytes: number;
  /** Its deliveries under way: stored as claimed, or about to be. */
  readonly inFlight: number;
  /** Those of them whose round has begun; the others stand in line. */
  readonly begun: number;
  /** Whether a claim of it is out: whoever is due comes with it, and has his place already. */
  readonly isAsked: boolean;
  /** When its next delivery can be claimed; undefined when none is known. */
  readonly nextDueAt: EpochMs | undefined;
  readonly pace: Pace;
  /** As many as there is room for, if undefined. */
  readonly rateLimit: RateLimit | undefined;
  readonly tokens: Tokens | undefined;
}

/** One instant by both clocks, and how many places of all lanes are free at it. */
export interface Moment {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
  readonly free: number;
}

export type Standing =
  /** Nothing is due, nobody may have it, or there is no room: something must happen first. */
  | { readonly kind: "idle" }
  | { readonly kind: "due"; readonly at: EpochMs }
  /** It is to be left alone for so long, whatever is due. */
  | { readonly kind: "paused"; readonly until: MonoMs }
  /** It has its share of all places until so many are free. */
  | { readonly kind: "crowded"; readonly free: number }
  /** It may have its turn. */
  | { readonly kind: "ready" };

const IDLE: Standing = { kind: "idle" };
const READY: Standing = { kind: "ready" };

/** What a lane waits for. */
export function standingOf(lane: LaneState, now: Moment): Standing {
  const { isOpen, nextDueAt } = lane;
  if (!isOpen || nextDueAt === undefined || roomIn(lane) <= 0) return IDLE;
  if (nextDueAt > now.wall) return { kind: "due", at: nextDueAt };
  const until = pausedUntil(lane, now.monotonic);
  if (until > now.monotonic) return { kind: "paused", until };
  const free = freeFor(lane.inFlight);
  return free > now.free ? { kind: "crowded", free } : READY;
}

/** How many more deliveries may be claimed for it. One, of a lane that is held. */
export function roomIn({ pace, inFlight }: LaneState): number {
  if (pace.hold !== undefined) return inFlight === 0 ? 1 : 0;
  return pace.limit - inFlight;
}

/** Whether a further round may begin. */
export function mayBegin({ pace, begun }: LaneState): boolean {
  return begun < (pace.hold === undefined ? pace.limit : 1);
}

/** How many deliveries a lane that is ready could make use of: at least one. */
export function placesFor(lane: LaneState, now: MonoMs): number {
  const waiting = Math.max(1, lane.deliveries - lane.inFlight);
  const tokens = lane.rateLimit === undefined ? Infinity : Math.max(1, tokensLeft(lane.rateLimit, lane.tokens, now));
  return Math.min(roomIn(lane), waiting, tokens);
}

function pausedUntil({ pace, rateLimit, tokens }: LaneState, now: MonoMs): MonoMs {
  const probeAt = pace.hold?.probeAt ?? now;
  const tokenAt = rateLimit === undefined ? now : nextTokenAt(rateLimit, tokens, now);
  return probeAt > tokenAt ? probeAt : tokenAt;
}
