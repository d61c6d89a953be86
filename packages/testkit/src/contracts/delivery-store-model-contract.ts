// The contract of the storage port, tested with random commands: a store must answer any commands in any order as a
// simple model does. Finds defects for which no case was written. Loads fast-check, a peer dependency, only when a case
// is run.

import { caseFor, type ContractCase, supportFor, expectNeededMembers } from "./contract-case.js";
import { type DeliveryStoreHarness, type DeliveryStoreSupport, NEEDED_BY_PART } from "./delivery-store/harness.js";
import type { ModelTrouble } from "./delivery-store/model/play-runs.js";

/** The length of the cases that compare a store with a model. */
export interface ModelContractOptions {
  /** The number of runs of each case, each on a new storage with about 35 commands. fast-check's default if absent. */
  readonly runs?: number;
  /** Repeats the runs of this seed. A failure names its seed. */
  readonly seed?: number;
}

/**
 * The cases of the model contract. `create` must return a harness over a new storage. It is called once before, to read
 * `supports` and to see that a store has the parts, and once for each sequence that is played: each run, and each step of
 * shrinking a failure. A failure names its seed, the fewest commands that cause it, and the wrong answer. If `open` is called
 * while commits are under way, as after a crash, each of them must still be answered or reject as `unavailable`; afterwards it is
 * stored whole or not at all, for good.
 */
export function deliveryStoreModelContract(
  create: () => DeliveryStoreHarness,
  options: ModelContractOptions = {},
): readonly ContractCase[] {
  const harness = create();
  const { supports } = harness;
  const cases = CASES.map(({ name, needs, trouble, isAnonymous }) => {
    const hasUsers = isAnonymous !== true && supports.deletions === true;
    return caseFor(name, supportFor(supports, needs), async () => {
      const { playRuns } = await import("./delivery-store/model/play-runs.js");
      const [hasBoard, hasRecords] = [supports.board === true, supports.records === true];
      const sweepsExactly = (supports.exactSweeps ?? true) === true;
      await expectParts(harness, [
        ...(hasUsers ? (["deletions"] as const) : []),
        ...(hasBoard ? (["board"] as const) : []),
        ...(hasRecords ? (["records"] as const) : []),
      ]);
      await playRuns({ create, trouble, hasUsers, hasBoard, hasRecords, sweepsExactly, ...options });
    });
  });
  const outboxCase = caseFor(OUTBOX_CASE, supportFor(supports, ["outbox"]), async () => {
    const { playOutboxRuns } = await import("./delivery-store/model/outbox-runs.js");
    await expectParts(harness, ["outbox"]);
    await playOutboxRuns({ create, ...options });
  });
  return [...cases, outboxCase];
}

const OUTBOX_CASE = "an outbox answers any commands of hosts and relays, in any order, as a model of it does";

/** Expects that a store has the parts that the commands of the model concern. */
async function expectParts(
  harness: DeliveryStoreHarness,
  parts: readonly (keyof DeliveryStoreSupport)[],
): Promise<void> {
  const store = await harness.open();
  try {
    expectNeededMembers(parts, NEEDED_BY_PART, { harness, store });
  } finally {
    await store.close();
  }
}

interface ModelCase {
  readonly name: string;
  readonly needs?: readonly (keyof DeliveryStoreSupport)[];
  readonly trouble: ModelTrouble;
  /** Without users, even if the store knows them. */
  readonly isAnonymous?: boolean;
}

const CASES: readonly ModelCase[] = [
  {
    name: "a store answers any commands, in any order, as the model does",
    trouble: "none",
    isAnonymous: true,
  },
  {
    name: "with users who are deleted and suppressed, a store answers as the model does",
    needs: ["deletions"],
    trouble: "none",
  },
  { name: "after crashes, a store still answers as the model does", needs: ["restart"], trouble: "crashes" },
  {
    name: "up to three processes on one storage all answer as the model does",
    needs: ["sharing"],
    trouble: "several processes",
  },
  { name: "after days, a store answers as the model does", needs: ["days"], trouble: "days" },
];
