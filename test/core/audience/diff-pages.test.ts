import type { Member, MemberChange, PageCursor } from "@postrider/core";
import { diffPages, diffSorted, sortMembers } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMembers, membersOf, pager } from "./builders.js";

const at = (text: string, from = 0): PageCursor => ({ page: membersOf(text), from });
const END: PageCursor = { page: [], from: 0 };
const linesOf = (changes: Iterable<MemberChange>): readonly string[] =>
  [...changes].map(({ kind, userId, value }) => `${kind} ${userId}${value === undefined ? "" : `=${value}`}`);

interface Sizes {
  readonly past: readonly number[];
  readonly present: readonly number[];
  readonly limit: number;
}

/** Compares two sets completely, page by page, with one page of each in memory. */
function diffAll(previous: readonly Member[], current: readonly Member[], sizes: Sizes): readonly MemberChange[] {
  const nextPast = pager(previous, sizes.past);
  const nextPresent = pager(current, sizes.present);
  const changes: MemberChange[] = [];
  let [past, present] = [nextPast(undefined), nextPresent(undefined)];
  while (past.page.length > 0 || present.page.length > 0) {
    const step = diffPages(past, present, sizes.limit);
    expect(step.changes.length).toBeLessThanOrEqual(sizes.limit);
    changes.push(...step.changes);
    past = nextPast({ ...past, from: step.previousFrom });
    present = nextPresent({ ...present, from: step.currentFrom });
  }
  return changes;
}

describe("diffPages", () => {
  it("finds the users that entered or departed, and those with another value", () => {
    const step = diffPages(at("a b=1 c=1 e"), at("b=1 c=2 d"), Infinity);
    expect(linesOf(step.changes)).toEqual(["departed a", "changed c=2", "entered d"]);
    // Whether e has departed is not known before the next page.
    expect(step).toMatchObject({ previousFrom: 3, currentFrom: 3 });
  });

  it("has a value in a change only if the member has one", () => {
    expect(diffPages(END, at("a b=1"), Infinity).changes).toStrictEqual([
      { kind: "entered", userId: "a" },
      { kind: "entered", userId: "b", value: "1" },
    ]);
    expect(diffPages(at("a=1"), at("a"), Infinity).changes).toStrictEqual([{ kind: "changed", userId: "a" }]);
  });

  it("continues to the end once the other list has ended", () => {
    expect(linesOf(diffPages(at("a b", 1), END, Infinity).changes)).toEqual(["departed b"]);
    expect(linesOf(diffPages(END, at("a b=1"), Infinity).changes)).toEqual(["entered a", "entered b=1"]);
    expect(diffPages(END, END, Infinity)).toEqual({ changes: [], previousFrom: 0, currentFrom: 0 });
  });

  it("stops at the end of a page until the next one is loaded", () => {
    expect(diffPages(at("a", 1), at("b"), Infinity)).toEqual({ changes: [], previousFrom: 1, currentFrom: 0 });
    expect(diffPages(at("b"), at("a", 1), Infinity)).toEqual({ changes: [], previousFrom: 0, currentFrom: 1 });
  });

  it("stops after `limit` changes", () => {
    expect(diffPages(at("a c"), at("b c d"), 1)).toMatchObject({ previousFrom: 1, currentFrom: 0 });
    expect(diffPages(at("a"), at("a"), 0)).toEqual({ changes: [], previousFrom: 0, currentFrom: 0 });
  });

  it("finds the same changes as one pass over both lists, however they are cut into pages (law 41)", () => {
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
