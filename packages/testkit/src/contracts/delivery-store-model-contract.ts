// The contract of the storage port once more, as random commands: whatever is asked of a store, in whatever order, it
// answers as a model does that is small enough to be believed. Finds what nobody has thought of writing a case for.
// Loads fast-check, a peer, and only when a case is run.

import { caseFor, type ContractCase, supportFor } from "./contract-case.js";
import type { DeliveryStoreHarness, DeliveryStoreSupport } from "./delivery-store/harness.js";
import type { Trouble } from "./delivery-store/model/play-runs.js";

export interface ModelContractOptions {
  /** How many storages each case plays on, with some 35 commands each. fast-check's own number unless given. */
  readonly runs?: number;
  /** Plays the runs of that seed again, which a failure has named. */
  readonly seed?: number;
}

/**
 * `create` answers a harness over a storage that nobody has used before: once for each run, and once beforehand, to see
 * what it supports. A failure names its seed and tells the fewest commands that show it, with the answer that was wrong.
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
  readonly trouble: Trouble;
}

const CASES: readonly ModelCase[] = [
  { name: "whatever is asked, in whatever order, is answered as the model answers it", trouble: "none" },
  { name: "crashes change nothing that the model knows", needs: ["restart"], trouble: "crashes" },
  { name: "two processes on one storage both see what the model sees", needs: ["sharing"], trouble: "two processes" },
  { name: "days pass for a store as they pass for the model", needs: ["days"], trouble: "days" },
];
