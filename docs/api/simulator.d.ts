// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/simulator` exports.

import type {
  Scenario,
  ScenarioDowntime,
  ScenarioFault,
  ScenarioLoad,
  ScenarioStretch,
  ScenarioTroubles,
} from "@postrider/codec";
import type { DeadReason } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";

export type Behaviour =
  | ScriptedReply
  | {
      readonly kind: "mixed";
      readonly of: readonly ScriptedReply[];
    }
  | Troubled;

export interface BrokenPromise {
  readonly check: CheckName;
  readonly what: string;
  readonly atMs: number;
}

export declare const CHECKS: {
  readonly "counting-law": "accepted = filtered + waiting + claimed + delivered + dead after every commit, as counted outside.";
  readonly "stored-once": "A call is stored once, however often its caller repeats it.";
  readonly "receipt-is-true": "What a receipt calls accepted, or a duplicate, is in the store by then.";
  readonly "no-lost-call": "What was stored stays until it has come to rest.";
  readonly "settles-once": "A delivery comes to rest once, and stays there.";
  readonly "settles-under-its-lease": "Only who holds the lease of a delivery settles it.";
  readonly "one-lease": "No delivery is handed out before it is due, or while another lease on it lasts.";
  readonly "stored-before-sent": "Nothing is sent that is not in the store.";
  readonly "room-in-the-lease": "An attempt starts only while its lease lasts long enough.";
  readonly "none-after-the-window": "No attempt starts after the window.";
  readonly "none-after-success": "No attempt starts after a success was recorded.";
  readonly "first-attempt": "Nothing dies untried.";
  readonly "same-bytes": "Every attempt carries the bytes that were stored.";
  readonly "retry-after": "A receiver that asks to be left alone is.";
  readonly "open-lane": "Nothing of a destination that is off or paused is claimed or sent.";
  readonly prompt: "What is due goes out at once, if its lane has room, is not held, and all is calm.";
  readonly "stop-settles": "A stop leaves nothing claimed.";
  readonly "delivered-is-success": "A delivery is delivered if, and only if, a receiver took it.";
  readonly "expires-in-time": "A delivery expires only when no further round fits its window, by the clock as it stood when that was decided.";
  readonly "attempts-are-true": "What is recorded as an attempt is what went out and what came back.";
  readonly "no-stall": "Nothing waits for a time that cannot be meant, as after a clock that was set back.";
  readonly "all-settle": "Once all faults are over, everything comes to rest within a bound.";
};

export declare const CRASH_STEPS: readonly [
  "commit-asked",
  "commit-done",
  "claim-asked",
  "claim-done",
  "request-sent",
  "reply-come",
];

export type CheckName = keyof typeof CHECKS;

export type CrashStep = (typeof CRASH_STEPS)[number];

export interface DeliveryTotals {
  readonly deliveries: number;
  readonly delivered: number;
  readonly dead: Readonly<Partial<Record<DeadReason, number>>>;
  readonly requests: number;
  readonly requestsPerDelivery: number;
  readonly lagMs: Lag | null;
}

export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Load extends Omit<ScenarioLoad, "perArrival">, Partial<Pick<ScenarioLoad, "perArrival">> {
  readonly leftOut?: number;
}

export interface Report {
  readonly seed: number;
  readonly trace: string;
  readonly calls: number;
  readonly total: DeliveryTotals;
  readonly destinations: Readonly<Record<string, DeliveryTotals>>;
  readonly peakWaiting: number;
  readonly processes: number;
  readonly durationMs: number;
}

export { STORE_AILMENTS } from "@postrider/codec";

export { ScenarioStretch } from "@postrider/codec";

export type SimulatedFault =
  | Exclude<
      ScenarioFault,
      {
        readonly kind: "crash";
      }
    >
  | ({
      readonly kind: "crash";
      readonly step?: CrashStep;
    } & ScenarioDowntime)
  | {
      readonly kind: "freeze";
      readonly atMs: number;
      readonly forMs: number;
    };

export interface SimulatedReceiver {
  readonly usually?: Behaviour;
  readonly spells?: readonly Spell[];
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
  readonly faults?: readonly SimulatedFault[];
  readonly load?: Load;
  readonly wallAtStart?: number;
  readonly onProgress?: (progress: SimulationProgress) => void;
}

export interface SimulationProgress {
  readonly elapsedMs: number;
  readonly ofMs: number;
  readonly calls: number;
  readonly finished: number;
}

export interface Spell extends ScenarioStretch {
  readonly behaviour: Behaviour;
}

export { StoreAilment } from "@postrider/codec";

export interface Troubled extends Partial<ScenarioTroubles> {
  readonly kind: "troubled";
  readonly usually: ScriptedReply;
}

export declare function drawSimulation(seed: number): SimulationOptions;

export declare function simulate(options: SimulationOptions): Promise<Report>;

export {};
