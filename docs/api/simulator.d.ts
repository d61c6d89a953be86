// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/simulator` exports.

import type { DeadReason, DeliveryPolicy } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";

export type Behaviour =
  | ScriptedReply
  | {
      readonly kind: "mixed";
      readonly of: readonly ScriptedReply[];
    }
  | Troubled;

export interface Broken {
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

export interface Lag {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Load {
  readonly calls: number;
  readonly overMs: number;
  readonly perArrival?: number;
  readonly leftOut?: number;
}

export interface Progress {
  readonly elapsedMs: number;
  readonly ofMs: number;
  readonly calls: number;
  readonly finished: number;
}

export interface Receiver {
  readonly usually?: Behaviour;
  readonly spells?: readonly Spell[];
  readonly spreadMs?: number;
}

export interface Report {
  readonly seed: number;
  readonly trace: string;
  readonly calls: number;
  readonly total: Tally;
  readonly destinations: Readonly<Record<string, Tally>>;
  readonly peakWaiting: number;
  readonly processes: number;
  readonly durationMs: number;
}

export declare const STORE_AILMENTS: readonly ["busy", "full", "slow", "unavailable"];

export type SimulatedFault =
  | {
      readonly kind: "crash";
      readonly atMs: number;
      readonly downMs: number;
      readonly step?: CrashStep;
    }
  | {
      readonly kind: "stop";
      readonly atMs: number;
      readonly downMs: number;
    }
  | {
      readonly kind: "freeze";
      readonly atMs: number;
      readonly forMs: number;
    }
  | {
      readonly kind: "clock-step";
      readonly atMs: number;
      readonly byMs: number;
    }
  | ({
      readonly kind: "store";
      readonly ails: StoreAilment;
    } & Stretch)
  | ({
      readonly kind: "closed";
      readonly destination: string;
      readonly how: "off" | "paused";
    } & Stretch);

export interface SimulationFailure extends Error {
  readonly seed: number;
  readonly broken: readonly Broken[];
}

export interface SimulationOptions {
  readonly seed?: number;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly receivers: Readonly<Record<string, Receiver | readonly Receiver[]>>;
  readonly faults?: readonly SimulatedFault[];
  readonly load?: Load;
  readonly wallAtStart?: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Spell extends Stretch {
  readonly behaviour: Behaviour;
}

export type StoreAilment = (typeof STORE_AILMENTS)[number];

export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Tally {
  readonly deliveries: number;
  readonly delivered: number;
  readonly dead: Readonly<Partial<Record<DeadReason, number>>>;
  readonly requests: number;
  readonly requestsPerDelivery: number;
  readonly lagMs: Lag | null;
}

export interface Troubled {
  readonly kind: "troubled";
  readonly usually: ScriptedReply;
  readonly errors?: number;
  readonly poisoned?: number;
  readonly bears?: number;
}

export declare function drawSimulation(seed: number): SimulationOptions;

export declare function simulate(options: SimulationOptions): Promise<Report>;

export {};
