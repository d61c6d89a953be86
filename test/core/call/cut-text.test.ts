import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CUT_MARK, cutText } from "../../../packages/core/src/call/cut-text.js";
import "../../property.js";

describe("cutText", () => {
  it("does not change a text that fits", () => {
    expect(cutText("", 2)).toBe("");
    expect(cutText("four", 4)).toBe("four");
  });

  it("marks the cut", () => {
    expect(cutText("fives", 4)).toBe("fiv…");
  });

  it("never splits a surrogate pair", () => {
    expect(cutText("ab😀cd", 4)).toBe("ab…");
    expect(cutText("a😀cde", 4)).toBe("a😀…");
  });

  it.each(["\u{10000}", "\u{103ff}", "\u{10fc00}", "\u{10ffff}"])(
    "never splits %s, at an edge of the surrogates",
    (pair) => {
      expect(cutText(`ab${pair}cd`, 4)).toBe("ab…");
    },
  );

  it.each(["\ud7ff", "\ue000"])("keeps %s, which is next to the surrogates", (unit) => {
    expect(cutText(`ab${unit}cd`, 4)).toBe(`ab${unit}…`);
  });

  it("keeps the beginning of any text, within the length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, length) => {
        const cut = cutText(text, length);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(cut).toBe(Buffer.from(cut).toString());
        const isWhole = cut === text;
        if (!isWhole) expect(text.startsWith(cut.slice(0, -CUT_MARK.length)) && text.length > length).toBe(true);
      }),
    );
  });
});
