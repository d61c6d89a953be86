import { sortMembers } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMembers, membersOf, textOf } from "./builders.js";

describe("sortMembers", () => {
  it("sorts members, each user once, with the value that was given last", () => {
    expect(textOf(sortMembers(membersOf("c b=1 a b=2 c")))).toBe("a b=2 c");
  });

  it("compares UTF-16 code units, for all characters", () => {
    const ids = ["\uffff", "\u{1f600}", "é", "z", "\udc00", "\ud800", "Z", ""];
    const sorted = sortMembers(ids.map((userId) => ({ userId }))).map(({ userId }) => userId);
    expect(sorted).toEqual(["", "Z", "z", "é", "\ud800", "\u{1f600}", "\udc00", "\uffff"]);
  });

  it("does not change its argument", () => {
    const members = membersOf("b a");
    sortMembers(members);
    expect(textOf(members)).toBe("b a");
  });

  it("has the last value of every user, strictly ascending", () => {
    fc.assert(
      fc.property(anyMembers(), (members) => {
        const sorted = sortMembers(members);
        for (const [index, { userId }] of sorted.entries()) {
          expect(index === 0 || (sorted[index - 1]?.userId ?? "") < userId).toBe(true);
        }
        expect(new Map(sorted.map((member) => [member.userId, member]))).toEqual(
          new Map(members.map((member) => [member.userId, member])),
        );
      }),
    );
  });
});
