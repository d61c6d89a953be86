// What holds for every call: the codec never throws, never shows a value, never changes or copies what it is given.

import { decodeCall } from "@postrider/relay/settings";
import { CALL_KINDS, REFUSAL_CODES } from "@postrider/core";
import { badTimestampTexts, jsonValues, nastyKeys, rawCalls, timestampTexts } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { expect, it } from "vitest";

const CANARY = "canary-7f3a";
const FIELDS = [
  "type",
  "messageId",
  "userId",
  "anonymousId",
  "timestamp",
  "originalTimestamp",
  "sentAt",
  "context",
  "integrations",
  "event",
  "name",
  "category",
  "properties",
  "traits",
  "groupId",
  "previousId",
];

it("what real libraries send is decoded, and keeps its kind", () => {
  fc.assert(
    fc.property(rawCalls(), (raw) => {
      const result = decodeCall(raw);
      expect(result.kind === "ok" && result.call.type).toBe(raw["type"]);
    }),
  );
});

it("a decoded call has no field that is null or undefined, and no empty text where that counts as absent", () => {
  fc.assert(
    fc.property(rawCalls(), (raw) => {
      const result = decodeCall(raw);
      const call = result.kind === "ok" ? Object.entries(result.call) : [];
      expect(call.filter(([, value]) => value === null || value === undefined)).toEqual([]);
      const full = ["messageId", "userId", "anonymousId", "event", "groupId", "previousId"];
      expect(call.filter(([key, value]) => full.includes(key) && (typeof value !== "string" || value === ""))).toEqual(
        [],
      );
    }),
  );
});

it("a decoded call has the JSON values that were received, by reference", () => {
  fc.assert(
    fc.property(rawCalls(), (raw) => {
      const before = JSON.stringify(raw);
      const result = decodeCall(raw);
      expect(JSON.stringify(raw)).toBe(before);
      if (result.kind === "refused") return;
      const { context, integrations } = result.call;
      expect(context).toBe(raw["context"] ?? undefined);
      expect(integrations).toBe(raw["integrations"] ?? undefined);
    }),
  );
});

it("an instant is read to the millisecond", () => {
  fc.assert(
    fc.property(timestampTexts(), ({ text, at }) => {
      expect(decodeCall({ type: "track", timestamp: text })).toEqual({
        kind: "ok",
        call: { type: "track", timestamp: at },
      });
    }),
  );
});

it("whatever stands in place of a date refuses no call, and is read or named", () => {
  fc.assert(
    fc.property(fc.oneof(badTimestampTexts(), fc.jsonValue()), (timestamp) => {
      const result = decodeCall({ type: "track", timestamp });
      const isAbsent = timestamp === null || timestamp === "";
      const isRead = result.kind === "ok" && result.call.timestamp !== undefined;
      expect(result).toMatchObject(isRead || isAbsent ? { kind: "ok" } : { kind: "ok", unread: ["timestamp"] });
      if (isRead || isAbsent) expect(result).toMatchObject({ unread: undefined });
    }),
  );
});

it("a whole number as an id becomes its decimal text, any other number is refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.double()), (userId) => {
      const result = decodeCall({ type: "track", userId });
      const isWhole = Number.isSafeInteger(userId);
      expect(result.kind).toBe(isWhole ? "ok" : "refused");
      if (result.kind === "ok") expect(Number(result.call.userId)).toBe(userId + 0);
    }),
  );
});

it("any value at all is decoded or refused by a known code, and nothing is thrown", () => {
  const anything = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
    fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), nastyKeys()), fc.anything()),
  );
  fc.assert(
    fc.property(anything, fc.option(fc.constantFrom(...CALL_KINDS), { nil: undefined }), (value, kind) => {
      const result = decodeCall(value, kind);
      if (result.kind === "refused") expect(REFUSAL_CODES).toContain(result.refusal.code);
    }),
    { numRuns: 1_000 },
  );
});

it("no refusal shows what was found", () => {
  const canaries = fc.oneof(
    fc.constantFrom<unknown>(
      CANARY,
      [CANARY],
      { [CANARY]: CANARY },
      new String(CANARY),
      Symbol(CANARY),
      new Error(CANARY),
    ),
    jsonValues().map((value) => [CANARY, value]),
  );
  const fields = fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.constant(CANARY)), canaries, { minKeys: 1 });
  fc.assert(
    fc.property(fields, fc.constantFrom(...CALL_KINDS), fc.boolean(), (found, kind, isTyped) => {
      const result = decodeCall(isTyped ? { ...found, type: kind } : found);
      if (result.kind === "refused") expect(JSON.stringify(result)).not.toContain(CANARY);
    }),
    { numRuns: 1_000 },
  );
});

it("nesting costs nothing: a million levels are passed on by reference", () => {
  const depth = 1_000_000;
  const properties: unknown = JSON.parse(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  const result = decodeCall({ type: "track", properties });
  expect(result.kind === "ok" && result.call.type === "track" && result.call.properties === properties).toBe(true);
});
