import { describe, expect, it } from "vitest";
import { callInWords } from "../../../../packages/postrider/src/cli/calls/call-in-words.js";
import { plainText } from "../../../../packages/postrider/src/cli/terminal/line.js";

describe("a line of tail", () => {
  it("says where a call has a number that may not be what was written, or a date that cannot be read", () => {
    const warnings = [
      { code: "imprecise-number", path: "properties.id" },
      { code: "imprecise-number", path: "traits.n" },
      { code: "unread-date", path: "sentAt" },
    ];
    const call = { at: "now", outcome: "accepted", source: "website", messageId: "m1", deliveries: ["1"] };
    const line = (more: object): string => plainText(callInWords({ ...call, ...more }));
    expect(line({ warnings })).toBe(
      "now  accepted     website  m1  1 delivery; imprecise-number at properties.id, traits.n; unread-date at sentAt",
    );
    expect(line({ warnings: [] })).toBe(line({}));
  });
});
