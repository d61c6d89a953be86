// The suite is worth what it catches: each broken store must trip over the promise that it breaks. What else it trips
// over is written down in docs/contracts.md; after a change of the suite, `npx vitest run test/contracts --update`.

import { createManualClock, createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { DeliveryStore } from "@postrider/core";
import { type ContractCase, deliveryStoreContract, type DeliveryStoreSupport } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { BROKEN_STORES, type BrokenStore } from "./broken-stores.js";

const SUPPORTS: DeliveryStoreSupport = { restart: true, sharing: true, days: true };

describe("the contract suite of the delivery store", () => {
  for (const broken of BROKEN_STORES) {
    it(`catches a store that is broken: ${broken.name}`, async () => {
      expect(await trippedOver(broken)).toContain(broken.breaks);
    });
  }

  it("catches nothing in a store that is not broken", async () => {
    const create = () => {
      const disk = createMemoryDisk();
      return () => Promise.resolve(createMemoryStore({ disk }));
    };
    expect(await trippedOver({ name: "works", breaks: "", create })).toEqual([]);
  });

  it("does not mind in which order its cases are run, nor that they are run twice", async () => {
    const disk = createMemoryDisk();
    const cases = casesFor(() => Promise.resolve(createMemoryStore({ disk })), SUPPORTS);
    for (const { run } of [...cases.toReversed(), ...cases]) await run();
  });

  it("catches what docs/contracts.md says", async () => {
    const tripped = await Promise.all(
      BROKEN_STORES.map(async (broken) => [broken, await trippedOver(broken)] as const),
    );
    await expect(writeTable(tripped)).toMatchFileSnapshot("../../docs/contracts.md");
  });

  it("says what it expected and what it saw", async () => {
    const broken = BROKEN_STORES.find((store) => store.name === "passes bytes through text");
    const cases = broken === undefined ? [] : casesFor(broken.create(), SUPPORTS);
    const run = cases.find((one) => one.name === broken?.breaks)?.run;
    await expect(run?.()).rejects.toThrow(
      /the body as found\n {2}expected: "bytes 00a74e[0-9a-f]+"\n {2}but saw: {2}"bytes 00efbfbd/,
    );
  });

  it("leaves out what a store does not support, and says why", async () => {
    const cases = casesFor(() => Promise.reject(new Error("not to be opened")), {
      ...SUPPORTS,
      sharing: { reason: "one process only" },
    });
    const skipped = cases.filter((one) => one.skipped !== undefined);
    expect(skipped.map((one) => one.skipped)).toEqual(skipped.map(() => "one process only"));
    expect(skipped.length).toBe(4);
    for (const { name, run } of skipped) {
      expect(name).toContain("one process only");
      await run();
    }
  });
});

/** The names of the cases that a store fails, each tried on a storage of its own. */
async function trippedOver({ create, supports }: BrokenStore): Promise<readonly string[]> {
  const names: string[] = [];
  const count = casesFor(create(), SUPPORTS).length;
  for (let index = 0; index < count; index += 1) {
    const one = casesFor(create(), { ...SUPPORTS, ...supports })[index];
    if (one !== undefined && (await fails(one))) names.push(one.name);
  }
  return names;
}

function casesFor(open: () => Promise<DeliveryStore>, supports: DeliveryStoreSupport): readonly ContractCase[] {
  const clock = createManualClock();
  return deliveryStoreContract({ open, now: () => clock.wall(), advance: (ms) => clock.advance(ms), supports });
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
  const promises = casesFor(() => Promise.reject(new Error("not to be opened")), SUPPORTS).map((one) => one.name);
  const sections = tripped.map(([broken, names]) => {
    const rows = names.map((name) => (name === broken.breaks ? `- **${name}**` : `- ${name}`));
    return `### ${broken.name}\n\n${rows.join("\n")}\n`;
  });
  return [
    "# What the contract suite of the delivery store promises, and what it catches\n",
    "Written by `test/contracts/broken-stores.test.ts`; `npx vitest run test/contracts --update` writes it anew.\n",
    `## The ${String(promises.length)} promises\n`,
    `${promises.map((name, index) => `${String(index + 1)}. ${name}`).join("\n")}\n`,
    "## What each of the twelve broken stores trips over\n",
    ...sections,
  ].join("\n");
}
