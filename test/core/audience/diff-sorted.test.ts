import type { Member, MemberChange } from "@postrider/core";
import { diffSorted, sortMembers } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyMembers } from "./builders.js";

/** The members that a receiver has after it had `previous` and got these changes. */
function apply(previous: readonly Member[], changes: Iterable<MemberChange>): readonly Member[] {
  const known = new Map(previous.map((member) => [member.userId, member]));
  for (const { kind, userId, value } of changes) {
    if (kind === "departed") known.delete(userId);
    else known.set(userId, value === undefined ? { userId } : { userId, value });
  }
  return sortMembers([...known.values()]);
}

describe("diffSorted", () => {
  it("lets all members enter at a first sync, and none depart (law 41)", () => {
    fc.assert(
      fc.property(anyMembers(), (members) => {
        const current = sortMembers(members);
        expect([...diffSorted([], current)]).toEqual(current.map((member) => ({ kind: "entered", ...member })));
      }),
    );
  });

  it("finds no change in the same set (law 41)", () => {
    fc.assert(
      fc.property(anyMembers(), (members) => {
        expect([...diffSorted(sortMembers(members), sortMembers(members))]).toEqual([]);
        const set = sortMembers(members);
        expect([...diffSorted(set, set)]).toEqual([]);
      }),
    );
  });

  it("finds exactly the users that are in only one of the sets, each once (law 41)", () => {
    fc.assert(
      fc.property(anyMembers(), anyMembers(), (before, after) => {
        const [previous, current] = [before, after].map((members) => new Set(members.map(({ userId }) => userId)));
        const changes = [...diffSorted(sortMembers(before), sortMembers(after))];
        const moved = changes.filter(({ kind }) => kind !== "changed").map(({ userId }) => userId);
        const all = [...new Set([...previous!, ...current!])];
        const differing = all.filter((userId) => previous!.has(userId) !== current!.has(userId));
        expect(moved).toEqual(differing.toSorted((one, other) => (one < other ? -1 : 1)));
        expect(new Set(changes.map(({ userId }) => userId)).size).toBe(changes.length);
      }),
    );
  });

  it("finds changes that turn the previous set into the current one (law 41)", () => {
    fc.assert(
      fc.property(anyMembers(), anyMembers(), (before, after) => {
        const [previous, current] = [sortMembers(before), sortMembers(after)];
        expect(apply(previous, diffSorted(previous, current))).toEqual(current);
      }),
    );
  });

  it("keeps at most a thousand members of each set in memory, however large they are", () => {
    let [taken, most] = [0, 0];
    function* endless(): Generator<Member> {
      for (let index = 0; index < 1_000_000; index += 1) {
        taken += 1;
        yield { userId: String(index).padStart(7, "0") };
      }
    }
    for (const { userId } of diffSorted([], endless())) {
      most = Math.max(most, taken - Number(userId));
      if (Number(userId) > 10_000) break;
    }
    expect(most).toBeLessThanOrEqual(1_000);
    expect(taken).toBeLessThan(12_001);
  });

  it("closes both iterators when the caller stops early", () => {
    const closed: string[] = [];
    function* members(name: string): Generator<Member> {
      try {
        for (let index = 0; index < 5_000; index += 1) yield { userId: `${name}${String(index).padStart(4, "0")}` };
      } finally {
        closed.push(name);
      }
    }
    const [first] = diffSorted(members("a"), members("b"));
    expect(first).toEqual({ kind: "departed", userId: "a0000" });
    expect(closed).toEqual(["a", "b"]);
  });
});
