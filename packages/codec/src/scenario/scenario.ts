// What a scenario file comes to: the options of a simulation, as plain data. Knows no simulator; the program hands it to one.

import type { DeliveryPolicy, Fault } from "@postrider/core";

/** All times count from the start of the scenario, in milliseconds. */
export interface Scenario {
  readonly seed: number;
  readonly wallAtStart: number;
  readonly policy: Partial<DeliveryPolicy>;
  readonly load: { readonly calls: number; readonly overMs: number; readonly perArrival: number };
  readonly receivers: Readonly<Record<string, readonly ScenarioReceiver[]>>;
  readonly faults: readonly ScenarioFault[];
}

export interface ScenarioReceiver {
  readonly usually: ScenarioBehaviour;
  readonly spreadMs: number;
  readonly spells: readonly (ScenarioStretch & { readonly behaviour: ScenarioBehaviour })[];
}

export type ScenarioBehaviour =
  | ScenarioAnswer
  /** Answers so, but for a share of requests, a share of messages, and what is more at once than it bears. */
  | {
      readonly kind: "troubled";
      readonly usually: ScenarioAnswer;
      readonly errors: number;
      readonly poisoned: number;
      readonly bears?: number;
    }
  | { readonly kind: "fails"; readonly fault: Fault; readonly afterMs: number }
  | { readonly kind: "hangs" };

export interface ScenarioAnswer {
  readonly kind: "answers";
  readonly status: number;
  readonly afterMs: number;
  readonly retryAfter?: string;
}

export interface ScenarioStretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

export type ScenarioFault =
  | { readonly kind: "crash" | "stop"; readonly atMs: number; readonly downMs: number }
  | { readonly kind: "clock-step"; readonly atMs: number; readonly byMs: number }
  | ({ readonly kind: "store"; readonly ails: StoreAilment } & ScenarioStretch)
  | ({ readonly kind: "closed"; readonly destination: string; readonly how: "off" | "paused" } & ScenarioStretch);

export const STORE_AILMENTS = ["busy", "full", "slow", "unavailable"] as const;
export type StoreAilment = (typeof STORE_AILMENTS)[number];
