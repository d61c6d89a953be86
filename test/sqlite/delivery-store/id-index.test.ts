// The index of message ids in memory follows the transactions of the file: what was rolled back has no effect.

import { epochMs } from "@postrider/core";
import { expect, it } from "vitest";
import type { IdBlocks } from "../../../packages/sqlite/src/delivery-store/dedupe/blocks.js";
import type { IdHash } from "../../../packages/sqlite/src/delivery-store/dedupe/id-table.js";
import { createIdIndex } from "../../../packages/sqlite/src/delivery-store/dedupe/id-index.js";

/** More than the first table of the index takes. */
const MANY = 20_000;
const FIRST = { source: "web", messageId: "1" };

/** Spread evenly, as real hashes are. */
function hashOf(number: number): IdHash {
  return { high: Math.imul(number, 0x9e3779b1) >>> 0, low: Math.imul(number, 0x85ebca6b) >>> 0 };
}

/** A file that holds the ids 1 to `MANY`, and none removed. */
const blocks: IdBlocks = {
  lastNumber: () => MANY,
  add: () => undefined,
  eachHash: (above, visit) => {
    for (let number = above + 1; number <= MANY; number += 1) visit(hashOf(number), number);
  },
  withHash: () => [1],
  find: (number) => ({ id: { source: "web", messageId: String(number), after: 0, upTo: 0 }, at: epochMs(1) }),
  forget: () => undefined,
  floor: () => 0,
  completeAfter: () => 0,
};

it("a transaction that removes old ids and is rolled back removes none of them from the index", () => {
  const index = createIdIndex(blocks);
  index.refresh();
  index.stageFloor(MANY - 1);
  index.refresh();
  index.noteCommit();
  expect(index.matches(FIRST, hashOf(1)).map(({ number }) => number)).toEqual([1]);
});

it("a transaction that removes old ids and is committed removes them from the index", () => {
  const index = createIdIndex(blocks);
  index.refresh();
  index.stageFloor(MANY - 1);
  index.noteCommit();
  expect(index.matches(FIRST, hashOf(1))).toEqual([]);
});
