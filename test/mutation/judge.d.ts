import type { Mutant } from "./instrument.js";
import type { Limits, Reach } from "./plan.js";
import type { Progress } from "./progress.js";
import type { Verdict } from "./verdicts.js";

export function findReach(where: {
  readonly copy: string;
  readonly tests: readonly string[];
}): Promise<readonly Reach[]>;

export function judgeAll(
  mutants: readonly Mutant[],
  world: {
    readonly copy: string;
    readonly files: readonly Reach[];
    readonly limits?: Limits;
    readonly onProgress?: (progress: Progress) => void;
  },
): Promise<ReadonlyMap<string, Verdict>>;
