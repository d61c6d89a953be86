import { MAX_CALL_BYTES } from "@postrider/core";
import { checkSize } from "@postrider/core/engine";
import { jsonObjects } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const TOO_LARGE = { code: "too-large", path: "", expected: "at most 32768 bytes of JSON" };

describe("checkSize", () => {
  it.each([
    ["one byte each", "a"],
    ["two bytes each", "é"],
    ["two bytes each, the last of their kind", "\u07ff"],
    ["three bytes each, the first of their kind", "\u0800"],
    ["three bytes each", "€"],
    ["three bytes each, before the surrogates", "\ud7ff"],
    ["three bytes each, behind the surrogates", "\ue000"],
    ["four bytes each", "😀"],
    ["four bytes each, the first of their kind", "\u{10000}"],
    ["four bytes each, the last of all", "\u{10ffff}"],
    ["one byte each, the last of their kind", "\u007f"],
    ["two bytes each, the first of their kind", "\u0080"],
  ])("allows exactly 32,768 bytes and no more, in characters of %s", (_, character) => {
    const full = fill(character, MAX_CALL_BYTES);
    expect(new TextEncoder().encode(full)).toHaveLength(MAX_CALL_BYTES);
    expect(checkSize(full)).toBeUndefined();
    expect(checkSize(`${full}a`)).toEqual(TOO_LARGE);
    expect(checkSize(full + character)).toEqual(TOO_LARGE);
    expect(checkSize(character.repeat(full.length + 1))).toEqual(TOO_LARGE);
  });

  it("passes a small text without counting its bytes", () => {
    expect(checkSize("")).toBeUndefined();
    expect(checkSize("{}")).toBeUndefined();
  });

  it("agrees with the encoder for any JSON", () => {
    fc.assert(
      fc.property(jsonObjects(), fc.integer({ min: MAX_CALL_BYTES - 200, max: MAX_CALL_BYTES }), (value, padding) => {
        const text = JSON.stringify(value) + " ".repeat(padding);
        const isLarge = new TextEncoder().encode(text).length > MAX_CALL_BYTES;
        expect(checkSize(text)).toEqual(isLarge ? TOO_LARGE : undefined);
      }),
    );
  });
});

/** A text of `bytes` bytes: as many of the character as fit, filled up with ASCII. */
function fill(character: string, bytes: number): string {
  const size = new TextEncoder().encode(character).length;
  return character.repeat(Math.floor(bytes / size)) + "a".repeat(bytes % size);
}
