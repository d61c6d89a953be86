// Stand-ins keep the shape of what they stand for: equal texts stay equal, others stay different, and sizes stay.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createStandIns } from "../../packages/relay/src/trace/format/stand-ins.js";

describe("stand-ins", () => {
  it("have as many characters and bytes as the text, also as JSON", () => {
    const texts = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(texts, (text) => {
        const standIn = createStandIns().text(text);
        expect(standIn.length).toBe(text.length);
        expect(Buffer.byteLength(JSON.stringify(standIn))).toBe(Buffer.byteLength(JSON.stringify(text)));
      }),
    );
  });

  it("are equal for equal texts, and differ for texts that differ", () => {
    const words = fc.array(fc.stringMatching(/^[a-zà-ÿ0-9@.]{2,12}$/), { maxLength: 30 });
    fc.assert(
      fc.property(words, (texts) => {
        const standIns = createStandIns();
        const written = texts.map((text) => standIns.text(text));
        for (const [at, one] of texts.entries()) {
          for (const [place, other] of texts.entries()) expect(written[at] === written[place]).toBe(one === other);
        }
      }),
    );
  });

  it("show no letter of any alphabet", () => {
    const standIn = createStandIns().text("Grüße, Zoë 한국 🚀");
    expect(standIn).toMatch(/^....., ... .. .$/u);
    expect(standIn).not.toMatch(/[GrüßeZoë한국🚀]/u);
  });

  it("depend on the order of texts and not on the texts", () => {
    const [one, other] = [createStandIns(), createStandIns()];
    expect(["jane@a.org", "mary@b.org"].map((text) => one.text(text))).toEqual(
      ["dick@c.net", "anne@d.net"].map((text) => other.text(text)),
    );
  });

  it("of a number are as long as the number, and no number that it was", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), (value) => {
        const standIn = createStandIns().number(value);
        if (standIn !== 0) expect(String(standIn).length).toBe(String(value).length);
        expect(Number.isFinite(standIn)).toBe(true);
      }),
    );
    expect(createStandIns().number(491_701_234_567)).toBe(777_707_777_777);
  });
});
