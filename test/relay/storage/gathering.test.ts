// The gathered writes that share the next commit.

import type { MonoMs } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMIT_ROWS } from "../../../packages/relay/src/limits.js";
import {
  createGatheredWrites,
  type PendingWrite,
  type WriteRequest,
  writeRequest,
} from "../../../packages/relay/src/commits/gathering.js";
import "../../property.js";

const BODY = 10;

/** A write of one call to this number of destinations. */
function pending(deliveries: number, at: number): PendingWrite {
  const message = { body: new Uint8Array(BODY), deliveries: Array.from({ length: deliveries }, String) };
  const accept = [message] as unknown as WriteRequest["accept"];
  return { content: writeRequest({ accept }), since: at as MonoMs, answer: () => undefined };
}

function gathered(sizes: readonly number[]) {
  const writes = createGatheredWrites();
  for (const [at, size] of sizes.entries()) writes.add(pending(size, at));
  return writes;
}

function takeAll(sizes: readonly number[]): readonly (readonly number[])[] {
  const writes = gathered(sizes);
  const commits: number[][] = [];
  while (writes.first() !== undefined) commits.push(writes.takeNext().map(({ since }) => sizes[since] ?? NaN));
  return commits;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}

describe("gathered writes", () => {
  it.each([
    ["that fill a commit share it", [COMMIT_ROWS - 2, 2], [[COMMIT_ROWS - 2, 2]]],
    ["that are one row too many do not", [COMMIT_ROWS - 2, 3], [[COMMIT_ROWS - 2], [3]]],
    [
      "of more rows than a commit has are alone in one",
      [1, COMMIT_ROWS + 1, COMMIT_ROWS + 2, 1],
      [[1], [COMMIT_ROWS + 1], [COMMIT_ROWS + 2], [1]],
    ],
  ])("%s", (_, sizes, commits) => {
    expect(takeAll(sizes)).toEqual(commits);
  });

  it("are taken in their order, as many as fit, and none is lost", () => {
    const lists = fc.array(fc.integer({ min: 1, max: COMMIT_ROWS + 50 }), { maxLength: 30 });
    fc.assert(
      fc.property(lists, (sizes) => {
        const commits = takeAll(sizes);
        expect(commits.flat()).toEqual(sizes);
        for (const [at, commit] of commits.entries()) {
          if (commit.length > 1) expect(sum(commit)).toBeLessThanOrEqual(COMMIT_ROWS);
          const next = commits[at + 1]?.[0];
          if (next !== undefined) expect(sum(commit) + next).toBeGreaterThan(COMMIT_ROWS);
        }
      }),
    );
  });

  it("know their rows and bytes, of which a call without a destination has one", () => {
    const writes = gathered([0, 3, COMMIT_ROWS]);
    expect([writes.rows(), writes.bytes()]).toEqual([COMMIT_ROWS + 4, 3 * BODY]);
    writes.takeNext();
    expect([writes.rows(), writes.bytes()]).toEqual([COMMIT_ROWS, BODY]);
    writes.takeNext();
    expect([writes.rows(), writes.bytes(), writes.takeNext()]).toEqual([0, 0, []]);
  });
});
