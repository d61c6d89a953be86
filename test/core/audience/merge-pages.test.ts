import type { Member, PageCursor } from "@postrider/core";
import { mergePages, sortMembers } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMembers, membersOf, pager, textOf } from "./builders.js";

const at = (text: string, from = 0): PageCursor => ({ page: membersOf(text), from });
const END: PageCursor = { page: [], from: 0 };

/** Merges lists completely, page by page, with one page of each in memory. */
function mergeAll(lists: readonly (readonly Member[])[], sizes: readonly number[]): readonly Member[] {
  const pagers = lists.map((members) => pager(members, sizes));
  const merged: Member[] = [];
  let readings: readonly PageCursor[] = pagers.map((next) => next(undefined));
  while (readings.some(({ page }) => page.length > 0)) {
    const step = mergePages(readings);
    merged.push(...step.members);
    readings = readings.map(({ page }, list) => pagers[list]!({ page, from: step.from[list] ?? 0 }));
  }
  return merged;
}

describe("mergePages", () => {
  it("merges as far as all pages reach, and answers how far it has read each", () => {
    const step = mergePages([at("a d"), at("b c e")]);
    expect(textOf(step.members)).toBe("a b c d");
    expect(step.from).toEqual([2, 2]);
  });

  it("continues to the end once the other lists have ended", () => {
    expect(textOf(mergePages([END, at("a b", 1), END]).members)).toBe("b");
    expect(mergePages([END, END])).toEqual({ members: [], from: [0, 0] });
    expect(mergePages([])).toEqual({ members: [], from: [] });
  });

  it("stops at the end of a page until the next one is loaded", () => {
    expect(mergePages([at("a b", 2), at("a")])).toEqual({ members: [], from: [2, 0] });
  });

  it("takes each user once, from the last list that has it, wherever its pages end", () => {
    const step = mergePages([at("a=1 b=1"), at("b=2"), at("a=3 b=3 c=3")]);
    expect(textOf(step.members)).toBe("a=3 b=3");
    expect(step.from).toEqual([2, 1, 2]);
  });

  it("gives the same as sorting all lists together, however many lists and pages there are (law 41)", () => {
    fc.assert(
      fc.property(
        fc.array(anyMembers(), { maxLength: 9 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
        (lists, sizes) => {
          expect(mergeAll(lists.map(sortMembers), sizes)).toEqual(sortMembers(lists.flat()));
        },
      ),
    );
  });
});
