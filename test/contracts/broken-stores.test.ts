// A check of the suite: each broken store must fail the promise that it breaks. All that it fails is listed in
// docs/contracts.md; after a change of the suite, run `npx vitest run test/contracts --update`.

import { createStoreError } from "@postrider/core";
import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import {
  type ContractCase,
  deliveryStoreContract,
  deliveryStoreModelContract,
  type DeliveryStoreHarness,
  type DeliveryStoreSupport,
} from "@postrider/testkit/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBehindGate } from "./broken/gated-disk.js";
import { overOneDisk, type Storage } from "./broken/storage.js";
import { lookingBriefly } from "./broken/times-and-bytes.js";
import { BROKEN_STORES, type BrokenStore } from "./broken-stores.js";

const SUPPORTS: DeliveryStoreSupport = {
  ...{ restart: true, sharing: true, days: true },
  ...{ full: true, settlingWhenFull: true, deletions: true, pauses: true, replayJobs: true, traceparents: true },
  settings: true,
  board: true,
  clock: true,
  ...{ interleaving: true, faults: true, damage: true },
};

const UNGATED = { reason: "its disk has no gate" };
/** What a broken store supports unless it says something else. */
const USUAL: DeliveryStoreSupport = {
  ...SUPPORTS,
  ...{ interleaving: UNGATED, faults: UNGATED, damage: UNGATED },
  board: { reason: "its processes tell each other nothing" },
};

// Only whether a store fails a case matters here: failures are not shrunk, which would take hundreds of runs more.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

/** All cases twice, or once for each broken store if this test is played alone. */
const ALL_CASES_WATCHDOG_MS = 1_800_000;

const NEVER: Storage = { open: () => Promise.reject(new Error("not to be opened")) };

describe("the contract suite of the delivery store", () => {
  for (const broken of BROKEN_STORES) {
    it(`catches a store that is broken: ${broken.name}`, async () => {
      expect(await trippedOver(broken)).toContain(broken.breaks);
    });
  }

  for (const broken of BROKEN_STORES.filter(({ isForModel }) => isForModel === true)) {
    it(`finds by the model, with another seed, a store that is broken: ${broken.name}`, async () => {
      expect(await isFoundByModel(broken, ANOTHER_SEED)).toBe(true);
    });
  }

  it(
    "catches what docs/contracts.md says",
    async () => {
      const tripped: [BrokenStore, readonly string[]][] = [];
      for (const broken of BROKEN_STORES) tripped.push([broken, await trippedOver(broken)]);
      await expect(writeTable(tripped)).toMatchFileSnapshot("../../docs/contracts.md");
    },
    ALL_CASES_WATCHDOG_MS,
  );

  it("catches nothing in a store that is not broken", async () => {
    expect(await trippedOver({ name: "works", breaks: "", create: workingStorage, supports: SUPPORTS })).toEqual([]);
  });

  it(
    "does not mind in which order its cases are run, nor that they are run twice",
    async () => {
      const cases = deliveryStoreContract(harnessFor(workingStorage(), SUPPORTS));
      for (const { run } of [...cases.toReversed(), ...cases]) await run();
    },
    ALL_CASES_WATCHDOG_MS,
  );

  it("allows a page that is short once more than 1,000 deliveries were looked at, as the port does", async () => {
    const harness = harnessFor(overOneDisk(lookingBriefly(1_001)), SUPPORTS);
    const only = /2,500 messages is stored whole|^(a list|pages?|a page|a cursor) /;
    const cases = deliveryStoreContract(harness, { only });
    const crowd = cases.filter(({ name }) => name.includes("2,500"));
    for (const { run } of [...crowd, ...cases]) await run();
  });

  it("says what it expected and what it saw", async () => {
    const broken = BROKEN_STORES.find((store) => store.name === "passes bytes through text");
    const cases = broken === undefined ? [] : deliveryStoreContract(harnessFor(broken.create(), SUPPORTS));
    const run = cases.find((one) => one.name === broken?.breaks)?.run;
    await expect(run?.()).rejects.toThrow(
      /the body as found\n {2}after 1 equal bytes expected a74e[0-9a-f]+… \(512 in all\), but saw efbfbd[0-9a-f]+…/,
    );
  });

  it("leaves out what a store does not support, and says why", async () => {
    const alone = { ...SUPPORTS, laneChanges: true, sharing: { reason: "one process only" } } as const;
    const skipped = allCases(() => NEVER, alone).filter((one) => one.skipped !== undefined);
    expect(skipped.map((one) => one.skipped)).toEqual(skipped.map(() => "one process only"));
    expect(skipped.length).toBe(42);
    for (const { name, run } of skipped) {
      expect(name).toContain("one process only");
      await run();
    }
  });

  it("leaves out what a harness says nothing of", () => {
    const cases = allCases(() => NEVER, { restart: true, sharing: true, days: true });
    const reasons = new Set(cases.flatMap(({ skipped = [] }) => skipped));
    expect([...reasons].sort()).toEqual([
      "the harness says nothing of `board`",
      "the harness says nothing of `clock`",
      "the harness says nothing of `damage`",
      "the harness says nothing of `deletions`",
      "the harness says nothing of `faults`",
      "the harness says nothing of `full`",
      "the harness says nothing of `interleaving`",
      "the harness says nothing of `laneChanges`",
      "the harness says nothing of `pauses`",
      "the harness says nothing of `replayJobs`",
      "the harness says nothing of `settings`",
      "the harness says nothing of `traceparents`",
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

/** What the guide tells the author of a store to play before a release. */
const GUIDE_RUNS = 100;

async function isFoundByModel({ create, supports }: BrokenStore, seed: number): Promise<boolean> {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), { ...USUAL, ...supports });
  for (const one of deliveryStoreModelContract(harness, { runs: GUIDE_RUNS, seed })) if (await fails(one)) return true;
  return false;
}

/**
 * Runs each case on a separate storage; those against the model only for a store that they have to find, or that might pass if
 * a part of `supports` was skipped. They would find most of the others too, and take twice as long as all the rest.
 */
async function tryAll(broken: BrokenStore): Promise<readonly string[]> {
  const suite = deliveryStoreContract(harnessFor(NEVER, SUPPORTS)).map(({ name }) => name);
  const all = allCases(() => NEVER, SUPPORTS).map(({ name }) => name);
  const names = await tripped(broken, [0, suite.length]);
  return playsModel(broken, names) ? [...names, ...(await tripped(broken, [suite.length, all.length]))] : names;
}

function playsModel({ breaks, isForModel, skipsModel }: BrokenStore, names: readonly string[]): boolean {
  if (skipsModel === true) return false;
  return isForModel === true || !names.includes(breaks) || isLeftOpen(names);
}

/** Whether all of these cases are skipped together with one part of `supports`. */
function isLeftOpen(names: readonly string[]): boolean {
  return PARTS.some((part) => names.every((name) => casesOf(part).has(name)));
}

async function tripped(
  { create, supports, breaks, isForModel }: BrokenStore,
  [from, until]: readonly [number, number],
): Promise<readonly string[]> {
  const names: string[] = [];
  const runs = isForModel === true ? GUIDE_RUNS : MODEL_RUNS;
  const isModel = from > 0;
  for (let index = from; index < until; index += 1) {
    const one = allCases(create, { ...USUAL, ...supports }, runs)[index];
    // Many runs take long: of the cases against the model, such a store plays the one that it breaks.
    if (one === undefined || (isForModel === true && isModel && one.name !== breaks)) continue;
    if (await fails(one)) names.push(one.name);
  }
  return names;
}

const MODEL_RUNS = 12;

/** The same every time, so that docs/contracts.md changes only with the code. */
const SEED = 4;
const ANOTHER_SEED = 1;

function allCases(
  create: () => Storage,
  supports: DeliveryStoreSupport,
  runs: number = MODEL_RUNS,
): readonly ContractCase[] {
  const harness = (): DeliveryStoreHarness => harnessFor(create(), supports);
  return [...deliveryStoreContract(harness()), ...deliveryStoreModelContract(harness, { runs, seed: SEED })];
}

function harnessFor(storage: Storage, supports: DeliveryStoreSupport): DeliveryStoreHarness {
  const clock = createManualClock();
  const { openAt } = storage;
  const clocked = openAt && { openWithClock: () => openAt(clock) };
  return { ...storage, ...clocked, now: () => clock.wall(), advance: (ms) => clock.advance(ms), supports };
}

function workingStorage(): Storage {
  const disk = createMemoryDisk();
  return {
    open: () => Promise.resolve(createMemoryStore({ disk, shared: true })),
    openCramped: () => Promise.resolve(createMemoryStore({ disk, shared: true, bounds: { maxDeliveries: 1_500 } })),
    openGated: (gate) => openBehindGate(disk, gate),
    openAt: (clock) => Promise.resolve(createMemoryStore({ disk, clock, shared: true })),
    openDamaged: () => Promise.reject(createStoreError("corrupt", "the copy is damaged")),
  };
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
    "compares the answer and all that can be seen: every delivery in full, the list of all, the counters, the lanes, the",
    "requests about users. What the port leaves free is left free: ids, the order of equals, which of several are taken under",
    "a limit, the order of commands that overlap, whether a commit is stored that a crash left without an answer.\n",
    `${modelled.map((name) => `- ${name}`).join("\n")}\n`,
    "## What a skipped part leaves open\n",
    "A harness gives a reason for each part of `supports` that its store cannot do. The cases of the part are skipped then, and",
    "a store that is broken in one of these ways passes all others:\n",
    `${writeOpen(tripped)}\n`,
    `## What each of the ${String(BROKEN_STORES.length)} broken stores trips over\n`,
    ...sections,
  ].join("\n");
}

function writeOpen(tripped: readonly (readonly [BrokenStore, readonly string[]])[]): string {
  const rows = PARTS.map((part) => {
    const skipped = casesOf(part);
    const open = tripped.filter(([, names]) => names.every((name) => skipped.has(name))).map(([{ name }]) => name);
    const found = open.length === 0 ? "none of those below" : open.join("; ");
    return `- **\`${part}\`** (${String(skipped.size)} cases): ${found}`;
  });
  return rows.join("\n");
}

const PARTS = Object.keys(SUPPORTS) as readonly (keyof DeliveryStoreSupport)[];
const casesByPart = new Map<keyof DeliveryStoreSupport, ReadonlySet<string>>();

/** The names of the cases that are skipped without this part. */
function casesOf(part: keyof DeliveryStoreSupport): ReadonlySet<string> {
  const known = casesByPart.get(part);
  if (known !== undefined) return known;
  const all = allCases(() => NEVER, SUPPORTS).map(({ name }) => name);
  const without = allCases(() => NEVER, { ...SUPPORTS, [part]: { reason: "" } });
  const names = new Set(all.filter((_, index) => without[index]?.skipped !== undefined));
  casesByPart.set(part, names);
  return names;
}
