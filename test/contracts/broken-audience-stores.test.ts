// A check of the suite of audience stores: each broken store must fail the promise that it breaks, and every promise is
// broken by some store. docs/audience-contracts.md lists which store fails which promise.

import { audienceStoreContract, type AudienceStoreSupport, type ContractCase } from "@postrider/testkit/contracts";
import { createMemoryDisk } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { openAudiencesBehindGate } from "./broken/gated-audiences.js";
import {
  type AudienceStorage,
  BROKEN_AUDIENCE_STORES,
  type BrokenAudienceStore,
  overOneDisk,
} from "./broken-audience-stores.js";
import { fails } from "./fails.js";

const SUPPORTS: AudienceStoreSupport = { restart: true, sharing: true, full: true, interleaving: true, faults: true };
const PROMISES = casesOn(workingStorage()).map(({ name }) => name);

describe("the contract suite of audience stores", () => {
  for (const broken of BROKEN_AUDIENCE_STORES) {
    it(`catches a store that is broken: ${broken.name}`, async () => {
      expect(await trippedOver(broken)).toContain(broken.breaks);
    });
  }

  it("promises nothing that no broken store breaks", async () => {
    const tripped = await Promise.all(BROKEN_AUDIENCE_STORES.map(trippedOver));
    expect(PROMISES.filter((name) => !tripped.flat().includes(name))).toEqual([]);
  });

  it("catches what docs/audience-contracts.md says", async () => {
    const tripped: [BrokenAudienceStore, readonly string[]][] = [];
    for (const broken of BROKEN_AUDIENCE_STORES) tripped.push([broken, await trippedOver(broken)]);
    await expect(writeTable(tripped)).toMatchFileSnapshot("../../docs/audience-contracts.md");
  });

  it("catches nothing in a store that is not broken", async () => {
    expect(await trippedOver({ name: "works", breaks: "", create: workingStorage, supports: SUPPORTS })).toEqual([]);
  });

  it("does not mind in which order its cases are run, nor that they are run twice", async () => {
    const cases = casesOn(workingStorage());
    for (const { run } of [...cases.toReversed(), ...cases]) await run();
  });

  it("leaves out what a store does not support, and says why", () => {
    const alone: AudienceStoreSupport = { restart: true, sharing: { reason: "one process only" } };
    const reasons = casesOn(workingStorage(), alone).flatMap(({ skipped = [] }) => skipped);
    expect(reasons.filter((reason) => reason === "one process only")).toHaveLength(13);
    expect([...new Set(reasons)].toSorted()).toEqual([
      "one process only",
      "the harness says nothing of `faults`",
      "the harness says nothing of `full`",
      "the harness says nothing of `interleaving`",
    ]);
  });
});

const results = new Map<BrokenAudienceStore, Promise<readonly string[]>>();

/** The names of the cases that a store fails; results are cached. */
function trippedOver(broken: BrokenAudienceStore): Promise<readonly string[]> {
  const names = results.get(broken) ?? tryAll(broken);
  results.set(broken, names);
  return names;
}

/** Runs each case on a separate storage. */
async function tryAll({ create, supports }: BrokenAudienceStore): Promise<readonly string[]> {
  const names: string[] = [];
  for (const index of PROMISES.keys()) {
    const storage = create();
    const contractCase = casesOn(storage, { ...usualFor(storage), ...supports })[index];
    if (contractCase !== undefined && (await fails(contractCase))) names.push(contractCase.name);
  }
  return names;
}

/** The support of a broken store that says nothing else. */
function usualFor({ openCramped, openGated }: AudienceStorage): AudienceStoreSupport {
  const gated = openGated === undefined ? { reason: "its disk has no gate" } : true;
  const full = openCramped === undefined ? { reason: "it takes whatever comes" } : true;
  return { ...SUPPORTS, full, interleaving: gated, faults: gated };
}

function casesOn(storage: AudienceStorage, supports: AudienceStoreSupport = SUPPORTS): readonly ContractCase[] {
  return audienceStoreContract({ ...storage, supports });
}

function workingStorage(): AudienceStorage {
  const disk = createMemoryDisk();
  return { ...overOneDisk((store) => store, disk), openGated: (gate) => openAudiencesBehindGate(disk, gate) };
}

function writeTable(tripped: readonly (readonly [BrokenAudienceStore, readonly string[]])[]): string {
  const sections = tripped.map(([broken, names]) => {
    const rows = names.map((name) => (name === broken.breaks ? `- **${name}**` : `- ${name}`));
    return `### ${broken.name}\n\n${rows.join("\n")}\n`;
  });
  return [
    "# What the contract suite of audience stores promises, and what it catches\n",
    "Written by `test/contracts/broken-audience-stores.test.ts`; `npx vitest run test/contracts --update` writes it anew.\n",
    `## The ${String(PROMISES.length)} promises\n`,
    `${PROMISES.map((name, index) => `${String(index + 1)}. ${name}`).join("\n")}\n`,
    `## What each of the ${String(BROKEN_AUDIENCE_STORES.length)} broken stores trips over\n`,
    ...sections,
  ].join("\n");
}
