import type { SnapshotRange } from "@postrider/core";
import {
  rangeEndsAt,
  erasedUpTo,
  isErasedFrom,
  neededSets,
  recordErased,
  setsOfSync,
  rangeAfter,
  setName,
  uploadedSets,
} from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { audience, CRM, MAIL } from "./builders.js";
import "../../property.js";

const holder = { owner: "one", aliveAt: audience().createdAt };
const set = (sync: number) => setName({ key: "vip", sync, run: 0 });

function told(parts: readonly SnapshotRange[], sync = 1) {
  return [{ destination: CRM, sync, parts }];
}

describe("a deletion request", () => {
  it("is carried out in an audience that has recorded its number, or a later one", () => {
    expect(erasedUpTo(audience())).toBe(0);
    expect(isErasedFrom(audience({ erased: 3 }), 3)).toBe(true);
    expect(isErasedFrom(audience({ erased: 3 }), 4)).toBe(false);
    expect(recordErased(audience({ erased: 3 }), 2, []).erased).toBe(3);
  });

  it.each([
    [0, false],
    [2, false],
    [3, true],
  ])("is not complete while an upload that began before it is running (since %s: %s)", (since, isOver) => {
    const running = { kind: "collecting", ...holder, since } as const;
    expect(isErasedFrom(audience({ erased: 3, running }), 3)).toBe(isOver);
  });

  it("is carried out in all sets but those that an upload is writing", () => {
    const sets = [set(1), set(2), set(3)];
    expect(uploadedSets(audience({ syncs: 3 }), sets)).toEqual(sets);
    const running = { kind: "collecting", ...holder, since: 0 } as const;
    expect(uploadedSets(audience({ syncs: 3, running }), sets)).toEqual([set(1), set(2)]);
    // The upload of the third sync began after the record was read.
    expect(uploadedSets(audience({ syncs: 2 }), sets)).toEqual([set(1), set(2)]);
    expect(setsOfSync("vip", 3, sets)).toEqual([set(3)]);
  });
});

describe("a range that ends at a deleted user", () => {
  const parts = [
    { set: "new", upTo: "d" },
    { set: "mid", upTo: "k" },
    { set: "old", upTo: null },
  ];

  it("is found with the sets on both sides of its end", () => {
    const record = audience({
      told: [...told(parts), { destination: MAIL, sync: 0, parts: [{ set: "new", upTo: "k" }] }],
    });
    expect(rangeEndsAt(record, new Set(["d", "k", "x"]))).toEqual([
      { destination: CRM, upTo: "d", sets: ["new", "mid"] },
      { destination: CRM, upTo: "k", after: "d", sets: ["mid", "old"] },
      { destination: MAIL, upTo: "k", sets: ["new"] },
    ]);
    expect(rangeEndsAt(record, new Set(["a"]))).toEqual([]);
  });

  it("then ends at the last member before that user, and is removed if there is none", () => {
    const [first, second] = rangeEndsAt(audience({ told: told(parts) }), new Set(["d", "k"]));
    const moved = [
      { ...first!, to: null },
      { ...second!, to: "i" },
    ];
    expect(recordErased(audience({ told: told(parts) }), 1, moved).told).toEqual(
      told([
        { set: "mid", upTo: "i" },
        { set: "old", upTo: null },
      ]),
    );
  });

  it("is moved for each destination as far as that was sent", () => {
    const both = [
      ...told([{ set: "new", upTo: "d" }]),
      { destination: MAIL, sync: 1, parts: [{ set: "new", upTo: "d" }] },
    ];
    const record = audience({ told: both });
    const moved = rangeEndsAt(record, new Set(["d"])).map((end, index) => ({ ...end, to: ["c", "b"][index] ?? null }));
    expect(recordErased(record, 1, moved).told.map(({ destination, parts }) => [destination, parts[0]?.upTo])).toEqual([
      [CRM, "c"],
      [MAIL, "b"],
    ]);
    const [ofCrm] = moved;
    expect(recordErased(record, 1, ofCrm === undefined ? [] : [ofCrm]).told[1]).toEqual(both[1]);
  });

  it("holds the same members as before, except for the deleted ones", () => {
    const letters = Array.from("abcdefghij");
    const some = fc.subarray(letters);
    fc.assert(
      fc.property(some, some, fc.constantFrom(...letters), (now, before, gone) => {
        const sets = new Map([
          ["new", now.filter((one) => one !== gone)],
          ["old", before.filter((one) => one !== gone)],
        ]);
        const record = audience({
          told: told([
            { set: "new", upTo: gone },
            { set: "old", upTo: null },
          ]),
        });
        const moved = rangeEndsAt(record, new Set([gone])).map((bound) => {
          const earlier = bound.sets.flatMap((name) => sets.get(name) ?? []).filter((one) => one < bound.upTo);
          return { ...bound, to: earlier.toSorted().at(-1) ?? null };
        });
        const after = recordErased(record, 1, moved).told[0]?.parts ?? [];
        expect(membersOf(after, sets)).toEqual(membersOf(record.told[0]?.parts ?? [], sets));
        expect(JSON.stringify(after)).not.toContain(`"${gone}"`);
      }),
    );
  });
});

/** The members of a snapshot, in order. */
function membersOf(parts: readonly SnapshotRange[], sets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const all = [...new Set([...sets.values()].flat())].toSorted();
  return all.filter((user) => {
    const part = parts.find(({ upTo }) => upTo === null || upTo >= user);
    return part !== undefined && sets.get(part.set)?.includes(user);
  });
}

describe("the sets that an audience needs", () => {
  it("include that of the last upload, regardless of the snapshots of destinations", () => {
    expect(neededSets(audience({ current: "s2" }))).toEqual(new Set(["s2"]));
    expect(neededSets(audience({ current: "s2", told: told([{ set: "s1", upTo: null }]) }))).toEqual(
      new Set(["s2", "s1"]),
    );
    expect(neededSets(audience())).toEqual(new Set());
    expect(rangeAfter([], "a")).toBeUndefined();
  });
});
