// A check of docs/contracts.md: no case counts as one that has found a store because it cannot run, no part counts as one that leaves
// nothing open without having been tried, and a sample of the page is played.

import { readFileSync } from "node:fs";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { casesOn, harnessFor, workingStorage } from "./broken/playing.js";
import { casesOf, isLeftOpen, type Part, PARTS } from "./broken/table.js";
import { BROKEN_STORES } from "./broken-stores.js";
import { fails } from "./fails.js";

/** Cases that may find more than a tenth of the broken stores, each with the reason. */
const GENERAL_CASES: Readonly<Record<string, string>> = {};

/** Parts that leave no store open, although stores are there for one of its cases, each with the reason. */
const FOUND_ELSEWHERE: Partial<Record<Part, string>> = {
  interleaving: "its stores answer before they write: a crash that no gate decides, and a lost answer, show that too",
};

const PAGE = readFileSync(new URL("../../docs/contracts.md", import.meta.url), "utf8");
const NAMES = namesByStore();

describe("docs/contracts.md", () => {
  it("has no case that finds more than a tenth of the broken stores, unless it is named as general", () => {
    const counts = new Map<string, number>();
    for (const name of [...NAMES.values()].flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
    const general = [...counts].filter(([, count]) => count * 10 > NAMES.size).map(([name]) => name);
    expect(general.toSorted()).toEqual(Object.keys(GENERAL_CASES).toSorted());
  });

  it.each(PARTS)("names stores that are left open without `%s`, if some are there for its cases", (part) => {
    const own = BROKEN_STORES.filter(({ breaks }) => casesOf(part).has(breaks));
    if (own.length > 0) expect(openWithout(part).length > 0).toBe(FOUND_ELSEWHERE[part] === undefined);
  });

  it("says what the first case of each part finds in every fifteenth store", async () => {
    const firsts = new Set(PARTS.flatMap((part) => [...casesOf(part)].slice(0, 1)));
    for (const broken of BROKEN_STORES.filter((_, index) => index % 15 === 0)) {
      const cases = casesOn(broken).filter(({ name }) => firsts.has(name));
      const failed: string[] = [];
      for (const contractCase of cases) if (await fails(contractCase)) failed.push(contractCase.name);
      expect(failed, broken.name).toEqual(NAMES.get(broken.name)?.filter((name) => firsts.has(name)));
    }
  });

  it.each(PARTS)(
    "names stores that pass all cases without `%s`: those on which the model need not be played",
    async (part) => {
      const open = openWithout(part);
      const stores = BROKEN_STORES.filter(({ name, skipsModel }) => open.includes(name) && skipsModel === true);
      const caught: string[] = [];
      for (const broken of stores)
        if (!(await isLeftOpen({ broken, names: NAMES.get(broken.name) ?? [] }, part))) caught.push(broken.name);
      expect(caught).toEqual([]);
    },
  );
});

it("a case that cannot run for want of a harness finds nothing, and is reported", async () => {
  const { open } = workingStorage();
  const [timed] = deliveryStoreContract(harnessFor({ open }, { clock: true }), { only: /^a store with a clock tells/ });
  await expect(timed && fails(timed)).rejects.toThrow(
    "could not run: a store with a clock tells the time, which goes on: `supports.clock` is true, but the harness has no `openWithClock`",
  );
});

function namesByStore(): ReadonlyMap<string, readonly string[]> {
  const sections = PAGE.split("\n### ").slice(1);
  return new Map(
    sections.map((section) => {
      const [name = "", ...rows] = section.split("\n");
      return [name, rows.filter((row) => row.startsWith("- ")).map((row) => row.slice(2).replaceAll("**", ""))];
    }),
  );
}

/** The names of the stores that the page says are left open without a part. */
function openWithout(part: Part): readonly string[] {
  const row = PAGE.split("\n").find((line) => line.startsWith(`- **\`${part}\`**`)) ?? "";
  return row
    .slice(row.indexOf(": ") + 2)
    .split("; ")
    .filter((name) => NAMES.has(name));
}
