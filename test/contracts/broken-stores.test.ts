// A check of the suite: each broken store must fail the promise that it breaks. All that it fails is listed in
// docs/contracts.md; after a change of the suite, run `npx vitest run test/contracts --update`.

import { createManualClock } from "@postrider/memory";
import {
  type ContractCase,
  deliveryStoreContract,
  deliveryStoreModelContract,
  type DeliveryStoreHarness,
  type DeliveryStoreSupport,
} from "@postrider/testkit/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { overOneDisk, type Storage } from "./broken/storage.js";
import { BROKEN_STORES, type BrokenStore } from "./broken-stores.js";

const SUPPORTS: DeliveryStoreSupport = {
  ...{ restart: true, sharing: true, days: true },
  ...{ full: true, settlingWhenFull: true, deletions: true },
};

// Only whether a store fails a case matters here: failures are not shrunk, which would take hundreds of runs more.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

const NEVER: Storage = { open: () => Promise.reject(new Error("not to be opened")) };

describe("the contract suite of the delivery store", () => {
  for (const broken of BROKEN_STORES) {
    it(`catches a store that is broken: ${broken.name}`, async () => {
      expect(await trippedOver(broken)).toContain(broken.breaks);
    });
  }

  it("catches what docs/contracts.md says", async () => {
    const tripped: [BrokenStore, readonly string[]][] = [];
    for (const broken of BROKEN_STORES) tripped.push([broken, await trippedOver(broken)]);
    await expect(writeTable(tripped)).toMatchFileSnapshot("../../docs/contracts.md");
  });

  it("catches nothing in a store that is not broken", async () => {
    expect(await trippedOver({ name: "works", breaks: "", create: workingStorage })).toEqual([]);
  });

  it("does not mind in which order its cases are run, nor that they are run twice", async () => {
    const cases = deliveryStoreContract(harnessFor(workingStorage(), SUPPORTS));
    for (const { run } of [...cases.toReversed(), ...cases]) await run();
  });

  it("says what it expected and what it saw", async () => {
    const broken = BROKEN_STORES.find((store) => store.name === "passes bytes through text");
    const cases = broken === undefined ? [] : deliveryStoreContract(harnessFor(broken.create(), SUPPORTS));
    const run = cases.find((one) => one.name === broken?.breaks)?.run;
    await expect(run?.()).rejects.toThrow(
      /the body as found\n {2}expected: "bytes 00a74e[0-9a-f]+"\n {2}but saw: {2}"bytes 00efbfbd/,
    );
  });

  it("leaves out what a store does not support, and says why", async () => {
    const alone = { ...SUPPORTS, sharing: { reason: "one process only" } };
    const skipped = allCases(() => NEVER, alone).filter((one) => one.skipped !== undefined);
    expect(skipped.map((one) => one.skipped)).toEqual(skipped.map(() => "one process only"));
    expect(skipped.length).toBe(6);
    for (const { name, run } of skipped) {
      expect(name).toContain("one process only");
      await run();
    }
  });

  it("leaves out what a harness says nothing of", () => {
    const cases = allCases(() => NEVER, { restart: true, sharing: true, days: true });
    const reasons = new Set(cases.flatMap(({ skipped = [] }) => skipped));
    expect([...reasons].sort()).toEqual([
      "the harness says nothing of `deletions`",
      "the harness says nothing of `full`",
    ]);
  });
});

const found = new Map<BrokenStore, Promise<readonly string[]>>();

/** The names of the cases that a store fails; results are cached, since it takes long. */
function trippedOver(broken: BrokenStore): Promise<readonly string[]> {
  const names = found.get(broken) ?? tryAll(broken);
  found.set(broken, names);
  return names;
}

/** Runs each case on a separate storage. */
async function tryAll({ create, supports }: BrokenStore): Promise<readonly string[]> {
  const names: string[] = [];
  const count = allCases(() => NEVER, SUPPORTS).length;
  for (let index = 0; index < count; index += 1) {
    const one = allCases(create, { ...SUPPORTS, ...supports })[index];
    if (one !== undefined && (await fails(one))) names.push(one.name);
  }
  return names;
}

/** The same every time, so that docs/contracts.md changes only with the code. */
const MODEL_RUNS = { runs: 12, seed: 4 };

function allCases(create: () => Storage, supports: DeliveryStoreSupport): readonly ContractCase[] {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), supports);
  return [...deliveryStoreContract(harness()), ...deliveryStoreModelContract(harness, MODEL_RUNS)];
}

function harnessFor(storage: Storage, supports: DeliveryStoreSupport): DeliveryStoreHarness {
  const clock = createManualClock();
  return { ...storage, now: () => clock.wall(), advance: (ms) => clock.advance(ms), supports };
}

function workingStorage(): Storage {
  return overOneDisk((store) => store);
}

async function fails({ run }: ContractCase): Promise<boolean> {
  try {
    await run();
    return false;
  } catch {
    return true;
  }
}

function writeTable(tripped: readonly (readonly [BrokenStore, readonly string[]])[]): string {
  const promises = deliveryStoreContract(harnessFor(workingStorage(), SUPPORTS)).map((one) => one.name);
  const modelled = deliveryStoreModelContract(() => harnessFor(workingStorage(), SUPPORTS)).map((one) => one.name);
  const sections = tripped.map(([broken, names]) => {
    const rows = names.map((name) => (name === broken.breaks ? `- **${name}**` : `- ${name}`));
    return `### ${broken.name}\n\n${rows.join("\n")}\n`;
  });
  return [
    "# What the contract suite of the delivery store promises, and what it catches\n",
    "Written by `test/contracts/broken-stores.test.ts`; `npx vitest run test/contracts --update` writes it anew.\n",
    `## The ${String(promises.length)} promises\n`,
    `${promises.map((name, index) => `${String(index + 1)}. ${name}`).join("\n")}\n`,
    "## Against a model\n",
    "`deliveryStoreModelContract` plays random commands on new storages and on a model beside them. After each command it",
    "compares the answer and all that can be seen: every delivery in full, the list of all, the counters, the lanes. What",
    "the port leaves free is left free: ids, the order of equals, which of several are taken under a limit.\n",
    `${modelled.map((name) => `- ${name}`).join("\n")}\n`,
    `## What each of the ${String(BROKEN_STORES.length)} broken stores trips over\n`,
    ...sections,
  ].join("\n");
}
