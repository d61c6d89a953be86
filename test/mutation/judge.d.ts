import type { Mutant } from "./instrument.js";
import type { Limits, Reach } from "./plan.js";
import type { Verdict } from "./verdicts.js";

export function findReach(where: {
  readonly copy: string;
  readonly tests: readonly string[];
}): Promise<readonly Reach[]>;

export function judgeAll(
  mutants: readonly Mutant[],
  world: { readonly copy: string; readonly files: readonly Reach[]; readonly limits?: Limits },
): Promise<ReadonlyMap<string, Verdict>>;
