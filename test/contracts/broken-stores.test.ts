// A check of the suite: each broken store must fail the promise that it breaks. All that it fails is listed in
// docs/contracts.md, which takes long to write: `npm run soak -- contracts`.

import { readFileSync } from "node:fs";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { overOneDisk } from "./broken/storage.js";
import { promiseBroken, trippedOver, writePromises } from "./broken/table.js";
import { lookingBriefly } from "./broken/times-and-bytes.js";
import {
  allCases,
  ANOTHER_SEED,
  harnessFor,
  isCaught,
  isFoundByModel,
  NEVER,
  SUPPORTS,
  workingStorage,
} from "./broken/playing.js";
import { BROKEN_STORES } from "./broken-stores.js";

// Only whether a store fails a case matters here: failures are not shrunk, which would take hundreds of runs more.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

/** All cases twice. */
const ALL_CASES_WATCHDOG_MS = 1_800_000;

const TABLE = readFileSync(new URL("../../docs/contracts.md", import.meta.url), "utf8");

describe("the contract suite of the delivery store", () => {
  for (const broken of BROKEN_STORES) {
    it(`catches a store that is broken: ${broken.name}`, async () => {
      expect(await isCaught(broken)).toBe(true);
    });
  }

  for (const broken of BROKEN_STORES.filter(({ isForModel }) => isForModel === true)) {
    it(`finds by the model, with another seed, a store that is broken: ${broken.name}`, async () => {
      expect(await isFoundByModel(broken, ANOTHER_SEED)).toBe(true);
    });
  }

  it("promises what docs/contracts.md says, which lists each broken store with the promise that it breaks", () => {
    expect(TABLE).toContain(writePromises());
    const sections = TABLE.split("\n### ").slice(1);
    expect(sections.map((section) => section.split("\n", 1)[0])).toEqual(BROKEN_STORES.map(({ name }) => name));
    const listed = sections.map((section) => section.split("\n").find((row) => row.startsWith("- **")));
    expect(listed).toEqual(BROKEN_STORES.map(({ breaks }) => promiseBroken(breaks)));
  });

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
    const harness = harnessFor(overOneDisk(lookingBriefly(1_001)));
    const only = /2,500 messages is stored whole|^(a list|pages?|a page|a cursor) /;
    const cases = deliveryStoreContract(harness, { only });
    const crowd = cases.filter(({ name }) => name.includes("2,500"));
    for (const { run } of [...crowd, ...cases]) await run();
  });

  it("says what it expected and what it saw", async () => {
    const broken = BROKEN_STORES.find((store) => store.name === "passes bytes through text");
    const cases = broken === undefined ? [] : deliveryStoreContract(harnessFor(broken.create()));
    const run = cases.find((one) => one.name === broken?.breaks)?.run;
    await expect(run?.()).rejects.toThrow(
      /the body as found\n {2}after 1 equal bytes expected a74e[0-9a-f]+… \(512 in all\), but saw efbfbd[0-9a-f]+…/,
    );
  });

  it("leaves out what a store does not support, and says why", async () => {
    const alone = { ...SUPPORTS, sharing: { reason: "one process only" } } as const;
    const skipped = allCases(() => NEVER, alone).filter((one) => one.skipped !== undefined);
    expect(skipped.map((one) => one.skipped)).toEqual(skipped.map(() => "one process only"));
    expect(skipped.length).toBe(69);
    for (const { name, run } of skipped) {
      expect(name).toContain("one process only");
      await run();
    }
  });

  it("leaves out what a harness says nothing of", () => {
    const supports = { restart: true, sharing: true, days: true } as const;
    const cases = deliveryStoreContract({ ...harnessFor(NEVER), supports });
    const reasons = new Set(cases.flatMap(({ skipped = [] }) => skipped));
    expect([...reasons].sort()).toEqual([
      "the harness says nothing of `board`",
      "the harness says nothing of `clock`",
      "the harness says nothing of `damage`",
      "the harness says nothing of `deletions`",
      "the harness says nothing of `faults`",
      "the harness says nothing of `full`",
      "the harness says nothing of `hints`",
      "the harness says nothing of `interleaving`",
      "the harness says nothing of `laneChanges`",
      "the harness says nothing of `onEnd`",
      "the harness says nothing of `outbox`",
      "the harness says nothing of `records`",
      "the harness says nothing of `traceparents`",
    ]);
  });
});
