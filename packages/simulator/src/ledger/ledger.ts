// What an outsider knows of a simulation: every delivery as the store's answers tell it, every request that went out, every
// reply. Plain data and the few things that all who write in it need. It believes no relay, and asks no store.

import type {
  Counts,
  DeadReason,
  DeliveryId,
  DeliveryPolicy,
  DeliveryState,
  DestinationId,
  EndpointId,
  EpochMs,
  LeaseToken,
  MonoMs,
} from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import type { BrokenPromise, CheckName } from "../checks.js";
import { createTrace, type Trace } from "../trace.js";

/** Rounds under way in a lane whose rounds have never failed. */
const FULL_LANE = 32;

export interface Ledger {
  readonly clock: ManualClock;
  readonly policy: DeliveryPolicy;
  readonly trace: Trace;
  readonly broken: BrokenPromise[];
  readonly deliveries: Map<DeliveryId, Known>;
  /** By lane and messageId, as `keyOf` writes them. */
  readonly byKey: Map<string, Known>;
  /** The ids of all messages that are stored, those without a delivery included. */
  readonly stored: Set<string>;
  readonly lanes: Map<DestinationId, KnownLane>;
  readonly counts: Mutable<Pick<Counts, "accepted" | "filtered" | "waiting" | "claimed" | "delivered" | "dead">>;
  /** Which process holds a lease. */
  readonly holders: Map<LeaseToken, number>;
  /** Until when each endpoint asked a process to be left alone, by `PROCESS URL`. */
  readonly holds: Map<string, MonoMs>;
  processes: number;
  peakWaiting: number;
  /** What was due before this may be late: something had gone wrong. */
  calmSince: number;
  /** Resolves once the last answer of a store has been read. */
  reading: Promise<unknown>;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export interface KnownLane {
  /** Deliveries under a lease. */
  claimed: number;
  /** When its room was taken last, as far as can be said from outside. */
  fullAt: number;
  /** With this many under way it may have no room: fewer once rounds have failed. */
  fullWith: number;
  /** How many of the latest rounds have failed, at most, as each process has seen them. */
  readonly failing: Map<number, Failing>;
}

export interface Failing {
  /** From 0 to 1. */
  readonly share: number;
  /** Whether the process may leave the lane alone because of it. */
  readonly mayBeHeld: boolean;
}

export interface Known {
  readonly id: DeliveryId;
  readonly lane: DestinationId;
  readonly messageId: string;
  readonly body: string;
  readonly acceptedAt: MonoMs;
  state: DeliveryState;
  reason: DeadReason | undefined;
  token: LeaseToken | undefined;
  leaseUntil: EpochMs;
  dueAt: EpochMs;
  /** When it was due, by the clock that does not step. */
  dueSince: number;
  /** Whether it went out since it was due. */
  isOut: boolean;
  firstAttemptAt: EpochMs | undefined;
  lastRoundAt: EpochMs | undefined;
  /** The latest time that the wall clock has shown since the delivery came to its state. */
  latestWall: EpochMs;
  readonly sent: KnownRequest[];
  /** Whether a process has heard of a success: ever, and of a request that went out under the latest lease. */
  succeeded: boolean;
  succeededUnderLease: boolean;
  restedAt: MonoMs | undefined;
}

/** A request as the receiver saw it. */
export interface KnownRequest {
  readonly of: Known;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  /** The lease under which it went out. */
  readonly token: LeaseToken | undefined;
  /** What came back: a status, or a fault; undefined while nothing has. */
  result: string | undefined;
}

export function createLedger(clock: ManualClock, policy: DeliveryPolicy): Ledger {
  return {
    clock,
    policy,
    trace: createTrace(),
    broken: [],
    deliveries: new Map(),
    byKey: new Map(),
    stored: new Set(),
    lanes: new Map(),
    counts: { accepted: 0, filtered: 0, waiting: 0, claimed: 0, delivered: 0, dead: 0 },
    holders: new Map(),
    holds: new Map(),
    processes: 0,
    peakWaiting: 0,
    calmSince: 0,
    reading: Promise.resolve(),
  };
}

export function keyOf(lane: string, messageId: string): string {
  return `${lane}/${messageId}`;
}

/** Writes a line of the story. */
export function tell({ clock, trace }: Ledger, text: string): void {
  trace.add(clock.monotonic(), text);
}

/** Takes note of a broken promise. */
export function blame(ledger: Ledger, check: CheckName, what: string): void {
  ledger.broken.push({ check, what, atMs: ledger.clock.monotonic() });
  tell(ledger, `BROKEN ${check}: ${what}`);
}

export function laneOf({ lanes }: Ledger, id: DestinationId): KnownLane {
  const known = lanes.get(id);
  if (known !== undefined) return known;
  const lane: KnownLane = { claimed: 0, fullAt: -1, fullWith: FULL_LANE, failing: new Map() };
  lanes.set(id, lane);
  return lane;
}

/** How a delivery is called in the story. */
export function nameOf({ id, lane, messageId }: Known): string {
  return `${lane}/${messageId}#${id}`;
}

/** A fault begins, or has just ended: for `lastsMs` no delivery has to be prompt. */
export function disturb(ledger: Ledger, lastsMs: number): void {
  ledger.calmSince = Math.max(ledger.calmSince, ledger.clock.monotonic() + lastsMs);
}
