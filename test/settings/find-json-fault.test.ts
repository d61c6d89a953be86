// Where a text stops being JSON, compared with the parser of the language.

import { findJsonFault } from "@postrider/relay/settings";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts that look like JSON, most of them broken. */
function nearJson(): fc.Arbitrary<string> {
  const pieces = [
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"a"',
    '"\\u00e9"',
    '"',
    "\\",
    "1",
    "-0.5e+3",
    "01",
    "1.",
    "true",
    "nul",
  ];
  return fc
    .array(fc.constantFrom(...pieces, " ", "\n", "\t", "\u0001", "é", "\uFEFF"), { maxLength: 8 })
    .map((all) => all.join(""));
}

describe("the place where a text stops being JSON", () => {
  it.each([
    ["", 1, 1],
    ["{", 1, 2],
    ['{ "a": 1, }', 1, 11],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{\n  "a": "x\n}', 2, 10],
    ["[1 2]", 1, 4],
    ["[1}", 1, 3],
    ["{]", 1, 2],
    ["[,]", 1, 2],
    ["{'a': 1}", 1, 2],
    ['{"a" 1}', 1, 6],
    ["1 1", 1, 3],
    ["tru", 1, 1],
    ["01", 1, 2],
    ['"\\x"', 1, 2],
    ["// no", 1, 1],
    ["NaN", 1, 1],
  ])("is in %j line %i, column %i", (text, line, column) => {
    expect(findJsonFault(text)).toEqual({ line, column });
  });

  it("is found exactly where the parser refuses", () => {
    fc.assert(
      fc.property(nearJson(), (text) => {
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      {
        numRuns: 2_000,
      },
    );
  });

  it("is undefined for valid JSON, and is that of an inserted character that is invalid everywhere", () => {
    fc.assert(
      fc.property(jsonValues(), fc.nat(), (value, seed) => {
        const text = JSON.stringify(value, null, 1);
        expect(findJsonFault(text)).toBeUndefined();
        const at = seed % (text.length + 1);
        const before = text.slice(0, at).split("\n");
        // Within an escape or a word, the text before the character is invalid already.
        const place = findJsonFault(`${text.slice(0, at)}\u0001${text.slice(at)}`);
        expect(place?.line).toBe(before.length);
        expect(place?.column).toBeLessThanOrEqual(before.at(-1)!.length + 1);
        expect(place?.column).toBeGreaterThan(before.at(-1)!.length - 5);
      }),
    );
  });

  it("is found in a text that is nested however deeply, or has any number of escapes", () => {
    expect(findJsonFault("[".repeat(1_000_000))).toEqual({ line: 1, column: 1_000_001 });
    expect(findJsonFault(`"${"\\n".repeat(1_000_000)}`)).toEqual({ line: 1, column: 2_000_002 });
  });
});
