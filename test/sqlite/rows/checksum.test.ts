// A checksum detects any change that a broken disk can make to stored data.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MessageContent, contentSum, deliverySum } from "../../../packages/sqlite/src/rows/rows.js";

const contents: fc.Arbitrary<MessageContent> = fc.record({
  source: fc.string(),
  messageId: fc.string({ unit: "binary" }),
  type: fc.constantFrom("track", "page"),
  body: fc.uint8Array({ minLength: 1, maxLength: 70 }),
});

/** Written by hand, so that files stay readable by every later version. */
const SAMPLE = { source: "web", messageId: "m1", type: "track", body: new TextEncoder().encode('{"type":"track"}') };

describe("a checksum", () => {
  it("is the same for the same content, in every version", () => {
    expect(contentSum(SAMPLE)).toBe(883_981_232);
    expect(deliverySum(contentSum(SAMPLE), 7, "crm")).toBe(328_108_856);
  });

  it("is a number of 32 bits", () => {
    fc.assert(
      fc.property(contents, fc.maxSafeNat(), fc.string(), (content, id, lane) => {
        const sum = deliverySum(contentSum(content), id, lane);
        expect(Number.isInteger(sum) && sum >= 0 && sum < 2 ** 32).toBe(true);
      }),
    );
  });

  it("changes with every single byte of a body", () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.integer({ min: 1, max: 255 }), (content, at, change) => {
        const body = content.body.map((byte, index) => (index === at % content.body.length ? byte ^ change : byte));
        expect(contentSum({ ...content, body })).not.toBe(contentSum(content));
      }),
    );
  });

  it("changes when a body loses or gains zeros at its end", () => {
    fc.assert(
      fc.property(contents, fc.integer({ min: 1, max: 9 }), (content, zeros) => {
        const body = new Uint8Array([...content.body, ...new Uint8Array(zeros)]);
        expect(contentSum({ ...content, body })).not.toBe(contentSum(content));
      }),
    );
  });

  it("differs if the same text is in another field", () => {
    const sums = [
      SAMPLE,
      { ...SAMPLE, source: "we", messageId: "bm1" },
      { ...SAMPLE, source: "", messageId: "webm1" },
      { ...SAMPLE, source: "m1", messageId: "web" },
      { ...SAMPLE, type: "page" },
      { ...SAMPLE, messageId: "m2" },
      { ...SAMPLE, messageId: "m\u0001" },
    ].map(contentSum);
    expect(new Set(sums).size).toBe(sums.length);
  });

  it("differs between deliveries of one message", () => {
    const content = contentSum(SAMPLE);
    const sums = [1, 2, 256, 2 ** 32 + 1, 2 ** 33 + 1].flatMap((id) =>
      ["crm", "crn", "cr", ""].map((lane) => deliverySum(content, id, lane)),
    );
    expect(new Set(sums).size).toBe(sums.length);
  });
});
