import { REFUSAL_CODES } from "@postrider/core";
import { expect, it } from "vitest";
import { refusalCodeInWords, refusalInWords } from "../../../../packages/postrider/src/cli/calls/call-in-words.js";

it.each(REFUSAL_CODES)("the rule %s has separate words, which do not end a sentence", (code) => {
  expect(refusalInWords({ code, path: "" })).toMatch(new RegExp(`^${code} \\([a-z][^.()]{10,}\\)$`));
  const others = REFUSAL_CODES.map((one) => refusalInWords({ code: one, path: "" }).slice(one.length));
  expect(new Set(others).size).toBe(REFUSAL_CODES.length);
});

it("a rule is told with the place in the call", () => {
  expect(refusalInWords({ code: "no-ids", path: "" })).toBe("no-ids (it has neither userId nor anonymousId)");
  expect(refusalInWords({ code: "no-event", path: "event" })).toBe(
    "no-event at event (a track call needs the name of its event)",
  );
  expect(refusalCodeInWords({ code: "no-event", path: "event" })).toBe("no-event at event");
});

it("a rule of a newer server has its code alone, and an answer without one is told as such", () => {
  expect(refusalInWords({ code: "too-new", path: "a.b" })).toBe("too-new at a.b");
  expect(refusalInWords(null)).toBe("an unknown rule");
});
