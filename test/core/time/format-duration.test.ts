import { formatDuration } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

describe("a duration", () => {
  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [4_240, "4.2 s"],
    [61_000, "1 min 1 s"],
    [9_060_000, "2 h 31 min"],
    [90_000_000, "1 d 1 h"],
  ])("of %i ms is written as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
