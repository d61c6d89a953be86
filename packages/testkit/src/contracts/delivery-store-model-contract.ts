// The contract of the storage port, tested with random commands: a store must answer any commands in any order as a
// simple model does. Finds defects for which no case was written. Loads fast-check, a peer dependency, only when a case
// is run.

import { caseFor, type ContractCase, supportFor } from "./contract-case.js";
import type { DeliveryStoreHarness, DeliveryStoreSupport } from "./delivery-store/harness.js";
import type { ModelTrouble } from "./delivery-store/model/play-runs.js";

/** How long the cases run that compare a store with a model. */
export interface ModelContractOptions {
  /** How many runs each case has, each on a new storage with about 35 commands. fast-check's default if absent. */
  readonly runs?: number;
  /** Repeats the runs of this seed. A failure names its seed. */
  readonly seed?: number;
}

/**
 * The cases of the model contract. `create` must return a harness over a new storage. It is called once before, to read
 * `supports`, and once for each sequence that is played: each run, and each step of shrinking a failure. A failure names its
 * seed, the fewest commands that cause it, and the wrong answer.
 */
export function deliveryStoreModelContract(
  create: () => DeliveryStoreHarness,
  options: ModelContractOptions = {},
): readonly ContractCase[] {
  const { supports } = create();
  return CASES.map(({ name, needs, trouble }) => {
    return caseFor(name, supportFor(supports, needs), async () => {
      const { playRuns } = await import("./delivery-store/model/play-runs.js");
      await playRuns({ create, trouble, ...options });
    });
  });
}

interface ModelCase {
  readonly name: string;
  readonly needs?: readonly (keyof DeliveryStoreSupport)[];
  readonly trouble: ModelTrouble;
}

const CASES: readonly ModelCase[] = [
  { name: "a store answers any commands, in any order, as the model does", trouble: "none" },
  { name: "after crashes, a store still answers as the model does", needs: ["restart"], trouble: "crashes" },
  { name: "two processes on one storage both answer as the model does", needs: ["sharing"], trouble: "two processes" },
  { name: "after days, a store answers as the model does", needs: ["days"], trouble: "days" },
];
