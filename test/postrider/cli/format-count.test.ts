import { describe, expect, it } from "vitest";
import { countOf, formatCount } from "../../../packages/postrider/src/cli/format-count.js";

describe("a count in words", () => {
  it("is a number with its noun, in the singular for one alone", () => {
    expect([0, 1, 2, 12_345].map((count) => countOf(count, "call"))).toEqual([
      "0 calls",
      "1 call",
      "2 calls",
      "12,345 calls",
    ]);
    expect([1, 2].map((count) => countOf(count, "delivery", "deliveries"))).toEqual(["1 delivery", "2 deliveries"]);
    expect([countOf(undefined, "call"), formatCount("1")]).toEqual(["- calls", "-"]);
  });
});
