import type { SnapshotRange } from "@postrider/core";
import { advanceSnapshot, rangeAfter, sentRange } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const OLD: readonly SnapshotRange[] = [
  { set: "second", upTo: "g" },
  { set: "first", upTo: null },
];

describe("a snapshot", () => {
  it("is replaced from its beginning by what has been sent", () => {
    expect(advanceSnapshot(OLD, "third", "c")).toEqual([{ set: "third", upTo: "c" }, ...OLD]);
    expect(advanceSnapshot(OLD, "third", "g")).toEqual([{ set: "third", upTo: "g" }, OLD[1]]);
    expect(advanceSnapshot(OLD, "third", null)).toEqual([{ set: "third", upTo: null }]);
  });

  it("grows by what is sent next", () => {
    const begun = advanceSnapshot(OLD, "third", "c");
    expect(advanceSnapshot(begun, "third", "h")).toEqual([{ set: "third", upTo: "h" }, OLD[1]]);
  });

  it("of a new destination holds only what has been sent", () => {
    const begun = advanceSnapshot([], "first", "c");
    expect(rangeAfter(begun, undefined)).toEqual({ set: "first", upTo: "c" });
    expect(rangeAfter(begun, "c")).toBeUndefined();
    expect(rangeAfter([], undefined)).toBeUndefined();
  });

  it("finds the range of the members after a user", () => {
    expect(["a", "f", "g", "h"].map((after) => rangeAfter(OLD, after)?.set)).toEqual([
      ...["second", "second", "first", "first"],
    ]);
  });

  it("answers how far a set has been sent", () => {
    expect(sentRange(OLD, "second")).toEqual({ set: "second", upTo: "g" });
    expect(sentRange(OLD, "first")).toBeNull();
    expect(sentRange([], "first")).toBeNull();
  });
});
