// A scenario as plain data, as a file gives it: receivers, load and faults. The simulator builds its options on these
// types (decision: scenario types). Does not depend on the simulator.

import type { DeliveryPolicy, Fault } from "@postrider/core";

/** `wallAtStart` is in milliseconds since the epoch; all other times are in milliseconds since the start of the scenario. */
export interface Scenario {
  readonly seed: number;
  readonly wallAtStart: number;
  readonly policy: Partial<DeliveryPolicy>;
  readonly load: ScenarioLoad;
  readonly receivers: Readonly<Record<string, readonly ScenarioReceiver[]>>;
  readonly faults: readonly ScenarioFault[];
}

/** `calls` calls, spread evenly over `overMs`. */
export interface ScenarioLoad {
  readonly calls: number;
  readonly overMs: number;
  /** Calls of one arrival. */
  readonly perArrival: number;
}

/** A simulated receiver: its usual behaviour, and the spells in which it behaves otherwise. */
export interface ScenarioReceiver {
  readonly usually: ScenarioBehaviour;
  readonly spreadMs: number;
  readonly spells: readonly (ScenarioStretch & { readonly behaviour: ScenarioBehaviour })[];
}

/** How a simulated receiver behaves: it answers, mostly answers, fails with a fault, or never answers. */
export type ScenarioBehaviour =
  | ScenarioAnswer
  | ({ readonly kind: "troubled"; readonly usually: ScenarioAnswer } & ScenarioErrors)
  | { readonly kind: "fails"; readonly fault: Fault; readonly afterMs: number }
  | { readonly kind: "hangs" };

/** The requests that a receiver does not answer as it usually does. */
export interface ScenarioErrors {
  /** The share of requests that are answered 500, by chance. */
  readonly errors: number;
  /** The share of messages that are answered 500 each time, chosen by their bytes. */
  readonly poisoned: number;
  /** How many requests may be open; a further request is answered 503 immediately. No limit if absent. */
  readonly bears?: number;
}

export interface ScenarioAnswer {
  readonly kind: "answers";
  readonly status: number;
  readonly afterMs: number;
  readonly retryAfter?: string;
}

/** The time from `fromMs` until just before `untilMs`. */
export interface ScenarioStretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Something that goes wrong in a simulated run. All times are in milliseconds from its start. */
export type ScenarioFault =
  /** The process is killed, and starts again after `downMs`. */
  | ({ readonly kind: "crash" } & ScenarioDowntime)
  /** An operator stops the process and starts it again. */
  | ({ readonly kind: "stop" } & ScenarioDowntime)
  /** The wall clock jumps by `byMs`. */
  | { readonly kind: "clock-step"; readonly atMs: number; readonly byMs: number }
  | ({ readonly kind: "store"; readonly ails: StoreFaultKind } & ScenarioStretch)
  /** The destination is switched off, or paused. */
  | ({ readonly kind: "closed"; readonly destination: string; readonly how: "off" | "paused" } & ScenarioStretch);

/** When a process ends, and how long it stays down. Both in milliseconds; `atMs` from the start of the run. */
export interface ScenarioDowntime {
  readonly atMs: number;
  readonly downMs: number;
}

/** The ways in which the store can fail. `unavailable`: it is unknown whether the operation took effect. */
export const STORE_FAULT_KINDS = ["busy", "full", "slow", "unavailable"] as const;
/** How a simulated store fails. */
export type StoreFaultKind = (typeof STORE_FAULT_KINDS)[number];
