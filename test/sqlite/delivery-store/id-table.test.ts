// The table of the places of ids misses none, names few that are not there, and frees the memory of those it forgets.

import { describe, expect, it } from "vitest";
import { createSeededRandom } from "@postrider/memory";
import {
  createMessageIdHash,
  type IdHash,
  createIdTable,
  RANGE_IDS,
} from "../../../packages/sqlite/src/delivery-store/dedupe/id-table.js";

function hashes(seed: number, count: number): readonly IdHash[] {
  const random = createSeededRandom(seed);
  const word = (): number => Math.floor(random.unit() * 2 ** 32);
  return Array.from({ length: count }, () => ({ high: word(), low: word() }));
}

const IDS = 100_000;

function filled() {
  const table = createIdTable();
  const known = hashes(1, IDS);
  for (const [index, hash] of known.entries()) table.add(hash, index + 1);
  return { table, known };
}

describe("a table of ids", () => {
  it("names the range of every id in it, and for one in ten thousand other ids a range without it", () => {
    const { table, known } = filled();
    for (const [index, hash] of known.entries()) {
      const number = index + 1;
      const ranges = table.find(hash);
      if (!ranges.some((first) => first <= number && number < first + RANGE_IDS)) expect(ranges).toBe(number);
    }
    const inVain = hashes(2, IDS).filter((hash) => table.find(hash).length > 0).length;
    expect(inVain).toBeLessThan(IDS / 1_000);
  });

  it("takes few bytes for each id", () => {
    expect(4 * filled().table.slots()).toBeLessThan(14 * IDS);
  });

  it("frees a part once all its ids are forgotten, and keeps the rest", () => {
    const { table, known } = filled();
    const before = table.slots();
    table.forget(IDS / 2);
    expect(table.slots()).toBeLessThan(before);
    for (const hash of known.slice(IDS / 2)) if (table.find(hash).length === 0) expect.fail("an id is missing");
    table.forget(IDS + 1);
    expect(table.slots()).toBe(0);
    table.add(known[0]!, IDS + 7);
    expect(table.find(known[0]!)).toEqual([IDS + 7]);
  });

  it.each([0, 1, 0xffff, 0x1_0000, 0xffff_ffff])(
    "finds an id of the first stretch whose hash begins with %d",
    (high) => {
      const table = createIdTable();
      const hash = { high, low: 7 };
      table.add(hash, 1);
      // It would get the next slot, if the first one counted as free.
      table.add({ high: 0xabcd_0000, low: 7 }, 2);
      expect(table.find(hash)).toEqual([1]);
      expect(table.find({ high: 0xabcd_0000, low: 7 })).toEqual([1]);
    },
  );

  it("names every range of an id that was added more than once", () => {
    const table = createIdTable();
    const [hash] = hashes(3, 1);
    for (const number of [1, 2, 500, 70_000]) table.add(hash!, number);
    expect([...table.find(hash!)].toSorted((one, other) => one - other)).toEqual([1, 449, 69_953]);
  });
});

describe("the hash of an id", () => {
  const key = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
  const hashId = createMessageIdHash(key);
  const text = ({ high, low }: IdHash): string => `${String(high)} ${String(low)}`;

  it("differs between ids, sources and keys", () => {
    const all = new Set<string>();
    for (let index = 0; index < 50_000; index += 1) all.add(text(hashId("web", `id-${String(index)}`)));
    for (const [source, id] of [
      ["we", "bid-1"],
      ["web", ""],
      ["", "web"],
      ["web", "\0"],
      ["web", "\0\0"],
    ] as const)
      all.add(text(hashId(source, id)));
    all.add(text(createMessageIdHash(new Uint8Array(8))("web", "id-1")));
    expect(all.size).toBe(50_006);
  });

  it("spreads similar ids evenly, in each of its halves", () => {
    const buckets = { high: new Uint32Array(256), low: new Uint32Array(256) };
    for (let index = 0; index < 256_000; index += 1) {
      const { high, low } = hashId("web", `id-${String(index)}`);
      buckets.high[high >>> 24]! += 1;
      buckets.low[low & 255]! += 1;
    }
    for (const counts of [buckets.high, buckets.low]) {
      expect(Math.min(...counts)).toBeGreaterThan(850);
      expect(Math.max(...counts)).toBeLessThan(1_150);
    }
  });

  it("never changes for a key, because files store it", () => {
    expect(text(hashId("web", "id-1"))).toBe("3026012511 4229112469");
  });
});
