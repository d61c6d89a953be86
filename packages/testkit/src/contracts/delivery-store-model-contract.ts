// The contract of the storage port, tested with random commands: to any command, in any order, a store answers as a
// simple model does. Finds defects for which no case was written. Loads fast-check, a peer dependency, only when a case
// is run.

import { caseFor, type ContractCase, supportFor } from "./contract-case.js";
import type { DeliveryStoreHarness, DeliveryStoreSupport } from "./delivery-store/harness.js";
import type { ModelTrouble } from "./delivery-store/model/play-runs.js";

export interface ModelContractOptions {
  /** How many storages each case uses, with some 35 commands each. fast-check's default if absent. */
  readonly runs?: number;
  /** Plays the runs of this seed again, which a failure has named. */
  readonly seed?: number;
}

/**
 * `create` returns a harness over a new storage: once for each run, and once before, to see what it supports. A failure
 * names its seed and the fewest commands that cause it, with the wrong answer.
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
  { name: "any commands in any order are answered as the model answers them", trouble: "none" },
  { name: "crashes change nothing that the model has", needs: ["restart"], trouble: "crashes" },
  { name: "two processes on one storage both answer as the model does", needs: ["sharing"], trouble: "two processes" },
  { name: "after days, a store answers as the model does", needs: ["days"], trouble: "days" },
];
