// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/simulator` exports.

import type { DeadReason, RateLimit, Regulation, ReplayFilter, Retention } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";
import type {
  Scenario,
  ScenarioDowntime,
  ScenarioErrors,
  ScenarioFault,
  ScenarioLoad,
  ScenarioStretch,
} from "@postrider/relay/settings";

export interface BrokenPromise {
  readonly check: CheckName;
  readonly what: string;
  readonly atMs: number;
}

export declare const CHECKS: {
  readonly "counting-law": "After every commit, accepted = filtered + waiting + claimed + delivered + dead, and each equals the count of the simulator.";
  readonly "stored-once": "A call is stored once, however often its caller repeats it, and not if the transaction that adds it is rolled back.";
  readonly "receipt-is-true": "A call whose receipt says accepted or duplicate is in the store by then.";
  readonly "no-lost-call": "A stored delivery stays in the store until it is delivered or dead.";
  readonly "settles-once": "A delivery becomes delivered or dead once, and stays so.";
  readonly "settles-under-its-lease": "Only the process that holds the lease of a delivery settles it.";
  readonly "one-lease": "No delivery is claimed before it is due, or while another lease on it is valid.";
  readonly "stored-before-sent": "No request is sent for a message that is not in the store.";
  readonly "room-in-the-lease": "An attempt starts only while its lease lasts long enough.";
  readonly "none-after-the-window": "No attempt starts after the window.";
  readonly "none-after-success": "No attempt starts after a success was recorded.";
  readonly "first-attempt": "No delivery expires or is refused before its first attempt, unless the address policy refuses its destination.";
  readonly "blocked-waits": "A delivery that the address policy refuses is dead only after one retry window since it was accepted.";
  readonly "blocked-rests": "A destination that the address policy refuses is tried at most once in 60 seconds.";
  readonly "refused-for-good": "No refusal is for good unless it speaks of one body (413, 422), or the endpoint took another message between it and the refusal before, and does not refuse whatever it gets.";
  readonly "dies-refused": "What a process settles as dead is dead as refused if each endpoint refused it when it was last asked, and otherwise as expired.";
  readonly "refusing-rests": "A destination whose only receiver refuses whatever it gets is tried at most once in 2.5 seconds, until a message succeeds.";
  readonly "same-bytes": "Every attempt carries the bytes that were stored.";
  readonly "by-the-settings": "Each request goes to an endpoint of its destination, and is signed with its secret, as the settings of its process are by then.";
  readonly "retry-after": "A receiver gets no request before the time that its Retry-After asked for, except in the last slot of a window.";
  readonly "open-lane": "No delivery of a destination that is off or paused is claimed or sent.";
  readonly "closed-keeps": "What waits for a destination that is off or paused stays, however long that is.";
  readonly "rate-limit": "A process starts no more rounds of a destination than its rate limit allows, over any stretch of time.";
  readonly prompt: "A due delivery is sent at once, or once its rate limit allows it, if its lane has a free slot and is not held, and there was no recent fault.";
  readonly "stop-settles": "After a stop, the process has no delivery claimed.";
  readonly "delivered-is-success": "A delivery is delivered if, and only if, a receiver answered with success.";
  readonly "expires-in-time": "A delivery expires, or dies of refusals that are not for good, only when no further round fits its window, by the clock at the time of that decision.";
  readonly "attempts-are-true": "Each recorded attempt is a request that was sent, with the result that came back, and is recorded once; a release records none.";
  readonly "one-round": "A process has one round of a delivery at a time, unless another process has recorded one meanwhile.";
  readonly "heard-is-recorded": "What a process has heard of a delivery it records before it sends that again, unless the store failed or another process took over.";
  readonly "repeats-are-counted": "Each round that was sent and never recorded is counted: the record of its delivery tells at least as many lapses.";
  readonly "changes-are-true": "Each change that is stored of an audience leads a destination from what it was told to what the host gave last; none is stored twice.";
  readonly "syncs-are-whole": "Once a sync is answered, each destination that was on was told of all its members and of no other, and so the audience store holds them.";
  readonly "deleted-stay-away": "After a request about users, nothing of them is claimed, stored or kept until a later sync gives them, nor stored while they are suppressed.";
  readonly "replays-are-whole": "A replay job replays each finished delivery of its filter, once, and counts it once.";
  readonly "tests-are-apart": "A test event goes once to each endpoint of its destination, and nothing of it is stored.";
  readonly explained: "Whatever happened to a delivery, its explanation names the event that decided: the attempt that ended it, the end that a process or an operator made, or each thing that it waits for.";
  readonly "no-stall": "No delivery waits longer than its policy or a receiver can ask for, even after a clock was set back.";
  readonly "all-settle": "Once all faults are over, every delivery becomes delivered or dead within a bound, every sync is answered and every request about users finished.";
};

export type CheckName = keyof typeof CHECKS | keyof typeof FLEET_CHECKS;

export interface DeliveryTotals {
  readonly deliveries: number;
  readonly delivered: number;
  readonly dead: Readonly<Partial<Record<DeadReason, number>>>;
  readonly requests: number;
  readonly requestsPerDelivery: number;
  readonly lagMs: LagPercentiles | null;
  readonly worstSecond: WorstSecond | null;
  readonly heldMs: number;
  readonly waitedForProbe: number;
  readonly backlogGoneAtMs: number | null;
}

export declare const FLEET_CHECKS: {
  readonly "one-sender": "No server sends a delivery that another server has sent under a lease that is still valid, unless that server has died.";
  readonly "true-leases": "An attempt starts only while its lease lasts long enough, by true time.";
  readonly "none-after-the-end": "No server sends a delivery that is delivered or dead.";
  readonly "true-windows": "No attempt starts more than a second after its window, and no delivery expires more than a second too soon.";
  readonly "retry-after-of-all": "What a Retry-After asks of one server, all servers keep, from two seconds after it was heard to two seconds before its end, except in the last slot of a window.";
  readonly "rate-in-sum": "All servers together start no more rounds of a destination than its rate limit allows, and a twentieth.";
  readonly "probes-in-sum": "Two seconds after a server holds a lane, the probes of all servers together are 2.5 seconds apart at least, as those of one are.";
  readonly "attempts-in-sum": "All servers together have at most a quarter more attempts open at an endpoint than one may have.";
};

export interface ReceiverSpell extends ScenarioStretch {
  readonly behaviour: ReceiverBehaviour;
}

export { STORE_FAULT_KINDS } from "@postrider/relay/settings";

export { ScenarioStretch } from "@postrider/relay/settings";

export interface SimulatedAudience {
  readonly kind: "audience" | "trait";
  readonly sendsAs: "identify" | "track";
  readonly destinations: readonly string[];
  readonly users: number;
  readonly turnover: number;
  readonly syncs: number;
  readonly firstAtMs: number;
  readonly everyMs: number;
  readonly givesWithinMs?: number;
}

export interface SimulatedReceiver {
  readonly usually?: ReceiverBehaviour;
  readonly spells?: readonly ReceiverSpell[];
  readonly spreadMs?: number;
}

export interface SimulationFailure extends Error {
  readonly seed: number;
  readonly broken: readonly BrokenPromise[];
}

export interface SimulationOptions {
  readonly seed?: number;
  readonly policy?: Scenario["policy"];
  readonly receivers: Readonly<Record<string, SimulatedReceiver | readonly SimulatedReceiver[]>>;
  readonly rateLimits?: Readonly<Record<string, RateLimit>>;
  readonly retention?: Partial<Retention>;
  readonly faults?: readonly SimulatedFault[];
  readonly storeLatencyMs?: number;
  readonly servers?: readonly SimulatedServer[];
  readonly audiences?: Readonly<Record<string, SimulatedAudience>>;
  readonly operatorPauses?: readonly SimulatedPause[];
  readonly replays?: readonly SimulatedReplay[];
  readonly tests?: readonly SimulatedTest[];
  readonly deletions?: readonly SimulatedDeletion[];
  readonly load?: SimulatedLoad;
  readonly wallAtStart?: number;
  readonly onProgress?: (progress: SimulationProgress) => void;
}

export interface SimulationProgress {
  readonly elapsedMs: number;
  readonly ofMs: number;
  readonly calls: number;
  readonly finished: number;
}

export interface SimulationReport {
  readonly seed: number;
  readonly trace: string;
  readonly calls: number;
  readonly syncs: number;
  readonly changes: number;
  readonly total: DeliveryTotals;
  readonly destinations: Readonly<Record<string, DeliveryTotals>>;
  readonly peakWaiting: number;
  readonly processes: number;
  readonly durationMs: number;
  readonly warnings: readonly PolicyWarning[];
}

export { StoreFaultKind } from "@postrider/relay/settings";

export declare function drawFleet(seed: number, choice?: FleetChoice): SimulationOptions;

export declare function drawSimulation(seed: number): SimulationOptions;

export declare function simulate(options: SimulationOptions): Promise<SimulationReport>;

// Not exported by name, but part of what is.

declare const CRASH_STEPS: readonly [
  "commit-asked",
  "commit-done",
  "claim-asked",
  "claim-done",
  "request-sent",
  "reply-come",
  "audience-asked",
  "audience-done",
];

interface ChangedSettings {
  readonly receivers?: readonly number[];
  readonly rateLimit?: RateLimit | null;
  readonly secret?: string;
  readonly is?: "unconnected" | "off" | "paused" | "removed";
}

type CrashStep = (typeof CRASH_STEPS)[number];

interface FleetChoice {
  readonly servers?: number;
}

interface LagPercentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface LateAnswers extends ScenarioStretch {
  readonly kind: "late-answers";
  readonly share: number;
  readonly byMs: number;
}

interface PolicyWarning {
  readonly path: string;
  readonly effect: string;
  readonly change: string;
}

type ReceiverBehaviour =
  | ScriptedReply
  | {
      readonly kind: "mixed";
      readonly of: readonly ScriptedReply[];
    }
  | TroubledBehaviour;

type ServerFault = Exclude<
  SimulatedFault,
  {
    readonly kind: "store" | "closed" | "settings";
  }
>;

interface SimulatedChange {
  readonly destination: string;
  readonly sets: ChangedSettings;
}

interface SimulatedDeletion {
  readonly atMs: number;
  readonly regulation: Regulation;
  readonly users: readonly number[];
}

type SimulatedFault =
  | Exclude<
      ScenarioFault,
      {
        readonly kind: "crash" | "stop";
      }
    >
  | ({
      readonly kind: "crash" | "stop";
      readonly step?: CrashStep;
    } & ScenarioDowntime)
  | {
      readonly kind: "freeze";
      readonly atMs: number;
      readonly forMs: number;
      readonly step?: CrashStep;
    }
  | LateAnswers
  | {
      readonly kind: "sender";
      readonly atMs: number;
      readonly downMs: number;
    }
  | ({
      readonly kind: "settings";
    } & SimulatedChange &
      ScenarioStretch);

interface SimulatedLoad extends Omit<ScenarioLoad, "perArrival">, Partial<Pick<ScenarioLoad, "perArrival">> {
  readonly leftOut?: number;
  readonly inTransactions?: number;
  readonly repeated?: number;
}

interface SimulatedPause extends ScenarioStretch {
  readonly destination: string;
}

interface SimulatedReplay {
  readonly atMs: number;
  readonly destination?: string;
  readonly states: ReplayFilter["states"];
  readonly cancelAfterMs?: number;
}

interface SimulatedServer {
  readonly aheadMs?: number;
  readonly driftPpm?: number;
  readonly delivers?: boolean;
  readonly faults?: readonly ServerFault[];
}

interface SimulatedTest {
  readonly atMs: number;
  readonly destination: string;
}

interface TroubledBehaviour extends Partial<ScenarioErrors> {
  readonly kind: "troubled";
  readonly usually: ScriptedReply;
}

interface WorstSecond {
  readonly requests: number;
  readonly atMs: number;
}

export {};
