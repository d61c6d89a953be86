import type { Stage } from "./plan.js";

export interface Entry {
  readonly path: string;
  readonly id: string;
  readonly began?: true;
  readonly verdict?: string;
  readonly isNoticed?: boolean;
  readonly hits?: number;
  readonly by?: string;
}

export interface Verdict {
  readonly kind: "killed" | "timed out" | "survived" | "not reached";
  readonly by?: string;
  readonly path?: string;
}

export function leftOf(stage: Stage, entries: readonly Entry[]): Stage;

export function verdictsOf(
  mutants: readonly { readonly id: string }[],
  entries: readonly Entry[],
): ReadonlyMap<string, Verdict>;
