// What the doctor says of the counters of a server, and of the latest calls that were not stored.

import type { JsonObject } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { diagnoseTraffic, readTraffic } from "../../../../packages/postrider/src/cli/doctor/diagnose.js";
import {
  diagnoseWarnings,
  diagnoseUnknownKeys,
  diagnoseUnstored,
} from "../../../../packages/postrider/src/cli/doctor/latest-calls.js";

const AT = "2026-01-31T12:00:00.000Z";

describe("the doctor says of a counter", () => {
  it.each([
    ["refused", /^open 2 calls broke a rule and were refused/],
    ["duplicates", /^open 2 calls were duplicates: the messageId was accepted before$/],
    ["suppressed", /^open 2 calls were not stored: the user of the call is suppressed$/],
    ["shed", /^open 2 calls were shed: the log of the server has a line shed$/],
    ["filtered", /^open 2 were filtered: by the integrations/],
    ["waiting", /^open 2 wait for a turn or a retry$/],
    ["claimed", /^open 2 wait for a turn or a retry$/],
    ["dead", /^open 2 are dead: see which/],
  ])("what it counts: %s", (name, words) => {
    const answer = { kind: "answered", status: 200, text: JSON.stringify({ accepted: 9, [name]: 2 }) } as const;
    const told = diagnoseTraffic(answer, readTraffic(answer)).map(({ kind, text }) => `${kind} ${text}`);
    expect(told).toEqual([
      "ok calls of all sources were seen, 0 deliveries have arrived",
      expect.stringMatching(words),
    ]);
  });
});

describe("the doctor says of the latest calls", () => {
  const call = (outcome: string): JsonObject => ({ at: AT, outcome, source: "website", messageId: "m1" });

  it("which were not stored, the newest of each kind", () => {
    const calls = ["duplicate", "suppressed", "duplicate", "accepted", "refused"].map(call);
    expect(diagnoseUnstored(calls).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      expect.stringMatching(/^bad .* and was not stored: its user is suppressed$/),
      expect.stringMatching(/^bad .* and was refused: an unknown rule$/),
      expect.stringMatching(/^open 2 further calls with it were duplicates, the last at/),
    ]);
  });

  it("how many had something that may not be what was meant, and where", () => {
    const warnings = [
      { code: "imprecise-number", path: "properties.id" },
      { code: "unread-date", path: "timestamp" },
      { code: "imprecise-number", path: "context.n" },
    ];
    const calls = [call("shed"), { ...call("accepted"), warnings }, call("accepted")];
    expect(diagnoseWarnings(calls)).toEqual([
      {
        kind: "open",
        text:
          `1 call had a whole number beyond 2^53, the last of website at ${AT}, at properties.id, context.n: it may have ` +
          "changed, so send it as a text",
      },
      {
        kind: "open",
        text:
          `1 call had a date that cannot be read, the last of website at ${AT}, at timestamp: it was left out, so send ISO ` +
          "8601",
      },
    ]);
    expect(diagnoseWarnings([call("accepted")])).toEqual([]);
    expect(diagnoseWarnings(undefined)).toEqual([]);
  });

  it("how many had a key that no source has", () => {
    const told = diagnoseUnknownKeys(["unknown-key", "accepted", "unknown-key", "shed"].map(call));
    expect(told.map(({ text }) => text)).toEqual([expect.stringMatching(/^2 requests showed no write key/)]);
    expect(diagnoseUnknownKeys([call("shed")])).toEqual([]);
    expect(diagnoseUnknownKeys(undefined)).toEqual([]);
  });
});
