import { type Member, mergePages, type Reading, sortMembers } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMembers, membersOf, pager, textOf } from "./builders.js";

const at = (text: string, from = 0): Reading => ({ page: membersOf(text), from });
const END: Reading = { page: [], from: 0 };

/** Merges lists to their ends, page by page. Holds one page of each. */
function mergeAll(lists: readonly (readonly Member[])[], sizes: readonly number[]): readonly Member[] {
  const pagers = lists.map((members) => pager(members, sizes));
  const merged: Member[] = [];
  let readings: readonly Reading[] = pagers.map((next) => next(undefined));
  while (readings.some(({ page }) => page.length > 0)) {
    const step = mergePages(readings);
    merged.push(...step.members);
    readings = readings.map(({ page }, list) => pagers[list]!({ page, from: step.from[list] ?? 0 }));
  }
  return merged;
}

describe("mergePages", () => {
  it("merges as far as all pages reach, and says how far that is", () => {
    const step = mergePages([at("a d"), at("b c e")]);
    expect(textOf(step.members)).toBe("a b c d");
    expect(step.from).toEqual([2, 2]);
  });

  it("goes on to the end where the other lists are at theirs", () => {
    expect(textOf(mergePages([END, at("a b", 1), END]).members)).toBe("b");
    expect(mergePages([END, END])).toEqual({ members: [], from: [0, 0] });
    expect(mergePages([])).toEqual({ members: [], from: [] });
  });

  it("waits for a page that is used up", () => {
    expect(mergePages([at("a b", 2), at("a")])).toEqual({ members: [], from: [2, 0] });
  });

  it("takes the member of the last list that has the user, once, wherever its pages end", () => {
    const step = mergePages([at("a=1 b=1"), at("b=2"), at("a=3 b=3 c=3")]);
    expect(textOf(step.members)).toBe("a=3 b=3");
    expect(step.from).toEqual([2, 1, 2]);
  });

  it("gives what sorting all of it would give, however many lists and pages there are (law 41)", () => {
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
