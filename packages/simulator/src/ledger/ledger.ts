// The ledger of a simulation: each delivery by the answers of the store, each request that was sent, each reply. Plain
// data, and the few functions that all files which write it need. It reads no state of a relay, and calls no store.

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
  /** Until when each endpoint asked a process, by `Retry-After`, to get no attempts; by `PROCESS URL`. */
  readonly holds: Map<string, MonoMs>;
  processes: number;
  peakWaiting: number;
  /** Deliveries that were due before this time may be late, because of a fault. */
  calmSince: number;
  /** Resolves once the last answer of a store has been read. */
  reading: Promise<unknown>;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export interface KnownLane {
  /** Deliveries under a lease. */
  claimed: number;
  /** When all of its slots were last in use, as far as that is visible from outside. */
  fullAt: number;
  /** With this many deliveries under way, it may have no free slot; fewer once rounds have failed. */
  fullWith: number;
  /** How many of the latest rounds have failed, at most, as each process has seen them. */
  readonly failing: Map<number, Failing>;
}

export interface Failing {
  /** From 0 to 1. */
  readonly share: number;
  /** Whether the process may hold the lane because of it. */
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
  /** When it became due, by the clock that does not step. */
  dueSince: number;
  /** Whether it was sent since it became due. */
  isOut: boolean;
  firstAttemptAt: EpochMs | undefined;
  lastRoundAt: EpochMs | undefined;
  /** The latest time that the wall clock has shown since the delivery entered its state. */
  latestWall: EpochMs;
  readonly sent: KnownRequest[];
  /** Whether a process has got a success: at any time, and for a request that was sent under the latest lease. */
  succeeded: boolean;
  succeededUnderLease: boolean;
  restedAt: MonoMs | undefined;
}

/** A request as the receiver saw it. */
export interface KnownRequest {
  readonly of: Known;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  /** The lease under which it was sent. */
  readonly token: LeaseToken | undefined;
  /** The status or the fault of its reply; undefined before the reply. */
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

/** Writes a line of the trace. */
export function tell({ clock, trace }: Ledger, text: string): void {
  trace.add(clock.monotonic(), text);
}

/** Records a broken promise. */
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

/** The name of a delivery in the trace. */
export function nameOf({ id, lane, messageId }: Known): string {
  return `${lane}/${messageId}#${id}`;
}

/** A fault begins, or has just ended: for `lastsMs` no delivery has to be prompt. */
export function disturb(ledger: Ledger, lastsMs: number): void {
  ledger.calmSince = Math.max(ledger.calmSince, ledger.clock.monotonic() + lastsMs);
}
