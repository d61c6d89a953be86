import { isNestedDeeper } from "@postrider/core/engine";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../property.js";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The depth of the parsed value. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("isNestedDeeper", () => {
  it("finds the depth of the parsed value for every JSON text, however it is written", () => {
    const spaces = fc.constantFrom(undefined, 1, "\t");
    fc.assert(
      fc.property(jsonValues(), spaces, (value, space) => {
        const bytes = bytesOf(JSON.stringify(value, undefined, space));
        const depth = depthOf(value);
        expect(isNestedDeeper(bytes, depth)).toBe(false);
        if (depth > 0) expect(isNestedDeeper(bytes, depth - 1)).toBe(true);
      }),
    );
  });

  it.each([
    ["brackets in texts", String.raw`["[[[[{{{{"]`],
    ["brackets in keys", String.raw`{"[[[":1}`],
    ["brackets behind quotes that are escaped", String.raw`["\"[[[\"{{{"]`],
    ["brackets behind escaped backslashes", String.raw`["\\","\\\\",1]`],
    ["brackets behind characters of many bytes", '["é😀[[[",1]'],
    ["a quote that is written as a number", String.raw`["\u0022[[["]`],
  ])("is not misled by %s", (_, text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(isNestedDeeper(bytesOf(text), 1)).toBe(false);
  });

  it("counts levels, not brackets", () => {
    expect(isNestedDeeper(bytesOf("[[],[],[{}],{}]"), 3)).toBe(false);
    expect(isNestedDeeper(bytesOf("[[],[],[{}],{}]"), 2)).toBe(true);
  });

  it("counts brackets that are never closed, and ends at the end of a truncated text", () => {
    expect(isNestedDeeper(bytesOf("[".repeat(300)), 256)).toBe(true);
    for (const text of ["", '"', '"\\', '["[[[', "]]]]"]) expect(isNestedDeeper(bytesOf(text), 1)).toBe(false);
  });
});
