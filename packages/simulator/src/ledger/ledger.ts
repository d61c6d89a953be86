// The ledger of a simulation: every delivery, request and reply, as observed at the ports of the processes. Holds what all observers
// share. Must not ask a relay or a store.

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
import type { ScheduleMistake } from "@postrider/core/engine";
import type { ManualClock } from "@postrider/memory";
import { type BrokenPromise, type CheckName, ONE_CLOCK_CHECKS } from "../checks.js";
import { createKnownFleet, type KnownFleet } from "./fleet/known-fleet.js";
import { createKnownUsers, type KnownUsers, createKnownLane, type KnownLane, type KnownRounds } from "./known.js";
import { createRunHistory, type RunHistory } from "./history.js";
import type { KnownEvidence } from "./verdicts.js";

/** A pause of an operator that was answered, and whose end was not asked for yet. */
interface KnownPause {
  /** The process that has answered it. */
  readonly answeredBy: number | undefined;
  /** The number of the latest process when it was answered. */
  readonly latestProcess: number;
  /** The time at which it was answered. */
  readonly at: number;
}

export interface Ledger {
  readonly clock: ManualClock;
  readonly policy: DeliveryPolicy;
  readonly history: RunHistory;
  readonly broken: BrokenPromise[];
  readonly deliveries: Map<DeliveryId, KnownDelivery>;
  /** The deliveries by lane and messageId, a replay after its original; `keyOf` makes the key. */
  readonly byKey: Map<string, KnownDelivery[]>;
  /** The ids of all stored messages, also of those without a delivery. */
  readonly storedIds: Set<string>;
  /** The messageIds of calls whose transactions were rolled back. */
  readonly withdrawnIds: Set<string>;
  /** The number of messages that are calls, and not changes of audiences or notices. */
  calls: number;
  readonly users: KnownUsers;
  /** The deliveries that were replayed. */
  readonly replayedIds: Set<DeliveryId>;
  /** The endpoints that each test event was sent to, by its messageId. */
  readonly tests: Map<string, readonly EndpointId[]>;
  /** The deliveries that requests about users have put out of reach. */
  readonly covered: Set<KnownDelivery>;
  readonly lanes: Map<DestinationId, KnownLane>;
  /** The destinations that the settings have at the start. */
  readonly destinations: readonly DestinationId[];
  /** The time between two polls of a process. */
  readonly pollMs: number;
  readonly counts: Mutable<Pick<Counts, "accepted" | "filtered" | "waiting" | "claimed" | "delivered" | "dead">>;
  /** The number of the process that holds each lease. */
  readonly holders: Map<LeaseToken, number>;
  /** Until when an endpoint asked a process, by Retry-After, to send it nothing. The key is `PROCESS URL`. */
  readonly holds: Map<string, MonoMs>;
  /** The lanes that an operator has paused. */
  readonly pauses: Map<DestinationId, KnownPause>;
  /** The lanes for which an operator has asked for a pause at any time: a process may learn late that it is over. */
  readonly everPaused: Set<DestinationId>;
  /** The number of times that the schedule of the policy has given up on a delivery that has not expired yet. */
  giveUps: number;
  /** The first mistake of each kind that the schedule of the policy has made, as a sentence. */
  readonly scheduleMistakes: Map<ScheduleMistake["kind"], string>;
  processes: number;
  peakWaiting: number;
  /** True if the wall clock was set, or a process stood still, so that recorded times do not show how long a round took. */
  isTimeUneven: boolean;
  /** The time at which the wall clock was last set, by the monotonic clock; -1 if it never was. */
  steppedAt: number;
  /** A delivery that was due before this time of the monotonic clock may be late, because of a fault. */
  promptFrom: number;
  /** Since when the store does what it is asked, by the monotonic clock; infinite while it may fail. */
  storeSoundSince: number;
  /** The records of several servers; undefined if there is one. */
  readonly fleet: KnownFleet | undefined;
  /** Settles once the result of the latest store operation has been recorded; rejects if the operation failed. */
  lastOperation: Promise<unknown>;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export interface KnownDelivery {
  readonly id: DeliveryId;
  readonly lane: DestinationId;
  readonly messageId: string;
  /** The user of a change of an audience. */
  readonly user: string | undefined;
  readonly body: string;
  readonly acceptedAt: MonoMs;
  /** The time at which its call was received, by the wall clock. */
  readonly acceptedWall: EpochMs;
  state: DeliveryState;
  reason: DeadReason | undefined;
  token: LeaseToken | undefined;
  leaseUntil: EpochMs;
  dueAt: EpochMs;
  /** The time at which the delivery is due, by the monotonic clock. */
  dueSince: number;
  /** True if a request of the delivery was sent since it became due. */
  isOut: boolean;
  firstAttemptAt: EpochMs | undefined;
  lastRoundAt: EpochMs | undefined;
  /** The latest time that the wall clock has shown since the delivery entered its state. */
  latestWall: EpochMs;
  readonly sent: KnownRequest[];
  /** The rounds and endpoints of the recorded attempts; `recordOnce` makes the keys. */
  readonly recorded: Set<string>;
  /** The leases under which a request was sent, and no settlement was stored. */
  readonly unsettled: Set<LeaseToken>;
  /** The attempts, refusals and successes that decided its state. */
  readonly evidence: KnownEvidence;
  /** True if a process got a success for any request of the delivery. */
  succeeded: boolean;
  /** True if a process got a success for a request that was sent under the latest lease. */
  succeededUnderLease: boolean;
  finishedAt: MonoMs | undefined;
  readonly rounds: KnownRounds;
  /** For how long in all the delivery was due while its lane was held. */
  probeWaitMs: number;
}

/** A request as a process sent it. */
export interface KnownRequest {
  readonly process: number;
  readonly delivery: KnownDelivery;
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  readonly sentAt: MonoMs;
  /** True if its destination has no other endpoint. */
  readonly isOnly: boolean;
  /** The token of the lease under which it was sent. */
  readonly token: LeaseToken | undefined;
  /** The status or the fault of its reply, and when the process got it; undefined until then. */
  result: string | undefined;
  heardAt: MonoMs | undefined;
  /** True if it is certain that its endpoint refused whatever it got when the reply came. */
  wasRefusing: boolean;
}

interface LedgerOptions extends Pick<Ledger, "destinations" | "pollMs"> {
  /** True if there are several servers, each with a separate clock. */
  readonly hasServers: boolean;
}

export function createLedger(
  clock: ManualClock,
  policy: DeliveryPolicy,
  { destinations, pollMs, hasServers }: LedgerOptions,
): Ledger {
  return {
    clock,
    policy,
    history: createRunHistory(),
    broken: [],
    deliveries: new Map(),
    byKey: new Map(),
    storedIds: new Set(),
    withdrawnIds: new Set(),
    calls: 0,
    users: createKnownUsers(),
    replayedIds: new Set(),
    tests: new Map(),
    covered: new Set(),
    lanes: new Map(),
    destinations,
    pollMs,
    counts: { accepted: 0, filtered: 0, waiting: 0, claimed: 0, delivered: 0, dead: 0 },
    holders: new Map(),
    holds: new Map(),
    pauses: new Map(),
    everPaused: new Set(),
    giveUps: 0,
    scheduleMistakes: new Map(),
    processes: 0,
    peakWaiting: 0,
    isTimeUneven: hasServers,
    steppedAt: -1,
    promptFrom: 0,
    storeSoundSince: 0,
    fleet: hasServers ? createKnownFleet() : undefined,
    lastOperation: Promise.resolve(),
  };
}

/** The part of a body that names the message: its messageId, or all of a delete message, which has none. */
export function nameInBody(body: string): string {
  return /"messageId":"([^"]*)"/.exec(body)?.[1] ?? body;
}

export function keyOf(lane: string, messageId: string): string {
  return `${lane}/${messageId}`;
}

/** Adds a line to the history. */
export function addHistoryLine({ clock, history }: Ledger, text: string): void {
  history.add(clock.monotonic(), text);
}

/** Records a broken promise, also in the history. */
export function reportBroken(ledger: Ledger, check: CheckName, what: string): void {
  if (ledger.fleet !== undefined && ONE_CLOCK_CHECKS.has(check)) return;
  ledger.broken.push({ check, what, atMs: ledger.clock.monotonic() });
  addHistoryLine(ledger, `BROKEN ${check}: ${what}`);
}

export function laneOf({ lanes }: Ledger, id: DestinationId): KnownLane {
  const existing = lanes.get(id);
  if (existing !== undefined) return existing;
  const lane = createKnownLane();
  lanes.set(id, lane);
  return lane;
}

/** The name of a delivery in the history. */
export function nameOf({ id, lane, messageId }: KnownDelivery): string {
  return `${lane}/${messageId}#${id}`;
}

/** Lets deliveries be late for `lastsMs` from now, because a fault begins or has just ended. */
export function allowDelays(ledger: Ledger, lastsMs: number): void {
  ledger.promptFrom = Math.max(ledger.promptFrom, ledger.clock.monotonic() + lastsMs);
}
