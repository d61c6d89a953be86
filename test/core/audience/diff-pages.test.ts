import { diffPages, diffSorted, type Member, type MemberChange, type Reading, sortMembers } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMembers, membersOf, pager } from "./builders.js";

const at = (text: string, from = 0): Reading => ({ page: membersOf(text), from });
const END: Reading = { page: [], from: 0 };
const linesOf = (changes: Iterable<MemberChange>): readonly string[] =>
  [...changes].map(({ kind, userId, value }) => `${kind} ${userId}${value === undefined ? "" : `=${value}`}`);

interface Sizes {
  readonly past: readonly number[];
  readonly present: readonly number[];
  readonly limit: number;
}

/** Compares two sets to their ends, page by page. Holds one page of each. */
function diffAll(previous: readonly Member[], current: readonly Member[], sizes: Sizes): readonly MemberChange[] {
  const nextPast = pager(previous, sizes.past);
  const nextPresent = pager(current, sizes.present);
  const changes: MemberChange[] = [];
  let [past, present] = [nextPast(undefined), nextPresent(undefined)];
  while (past.page.length > 0 || present.page.length > 0) {
    const step = diffPages(past, present, sizes.limit);
    expect(step.changes.length).toBeLessThanOrEqual(sizes.limit);
    changes.push(...step.changes);
    past = nextPast({ ...past, from: step.previous });
    present = nextPresent({ ...present, from: step.current });
  }
  return changes;
}

describe("diffPages", () => {
  it("tells who entered, who left and whose value is another one", () => {
    const step = diffPages(at("a b=1 c=1 e"), at("b=1 c=2 d"), Infinity);
    expect(linesOf(step.changes)).toEqual(["departed a", "changed c=2", "entered d"]);
    // Nobody can say yet whether e is gone.
    expect(step).toMatchObject({ previous: 3, current: 3 });
  });

  it("goes on to the end where the other list is at its", () => {
    expect(linesOf(diffPages(at("a b", 1), END, Infinity).changes)).toEqual(["departed b"]);
    expect(linesOf(diffPages(END, at("a b=1"), Infinity).changes)).toEqual(["entered a", "entered b=1"]);
    expect(diffPages(END, END, Infinity)).toEqual({ changes: [], previous: 0, current: 0 });
  });

  it("waits for a page that is used up", () => {
    expect(diffPages(at("a", 1), at("b"), Infinity)).toEqual({ changes: [], previous: 1, current: 0 });
    expect(diffPages(at("b"), at("a", 1), Infinity)).toEqual({ changes: [], previous: 0, current: 1 });
  });

  it("stops after as many changes as it was asked for", () => {
    expect(diffPages(at("a c"), at("b c d"), 1)).toMatchObject({ previous: 1, current: 0 });
    expect(diffPages(at("a"), at("a"), 0)).toEqual({ changes: [], previous: 0, current: 0 });
  });

  it("sends what a walk through both lists at once finds, whatever pages they come in (law 41)", () => {
    const size = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 });
    const sizes = fc.record({ past: size, present: size, limit: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(anyMembers(), anyMembers(), sizes, (before, after, cut) => {
        const [previous, current] = [sortMembers(before), sortMembers(after)];
        expect(diffAll(previous, current, cut)).toEqual([...diffSorted(previous, current)]);
      }),
    );
  });
});
