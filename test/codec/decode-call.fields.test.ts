// The fields of a call, each with its leniency. Required fields are tested with core.

import { decodeCall } from "@postrider/codec";
import type { Call, Refusal } from "@postrider/core";
import { describe, expect, it } from "vitest";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function decoded(value: unknown): Call {
  const result = decodeCall(value);
  if (result.kind === "refused") throw new Error(`refused: ${result.refusal.code} at ${result.refusal.path}`);
  return result.call;
}

function refusal(value: unknown): Refusal {
  const result = decodeCall(value);
  if (result.kind === "ok") throw new Error("decoded");
  return result.refusal;
}

describe("ids", () => {
  const places = [
    ["identify", "userId"],
    ["identify", "anonymousId"],
    ["group", "groupId"],
    ["alias", "previousId"],
  ] as const;

  it.each(places)("in a call to %s, %s may be a text or a whole number", (type, field) => {
    const read = (value: unknown): unknown => Reflect.get(decoded({ type, [field]: value }), field);
    expect(["u1", " ", "0", "\u0000", "\ud800", "e\u0301"].map(read)).toEqual([
      "u1",
      " ",
      "0",
      "\u0000",
      "\ud800",
      "e\u0301",
    ]);
    expect([1, 0, -0, -5, 1.0, 9007199254740991].map(read)).toEqual(["1", "0", "0", "-5", "1", "9007199254740991"]);
    expect(["", null, undefined].map((value) => Object.hasOwn(decoded({ type, [field]: value }), field))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it.each(places)("in a call to %s, %s cannot be anything else", (type, field) => {
    const others = [1.5, 2 ** 53, 1e21, Infinity, NaN, true, false, {}, [], ["u1"], new String("u1"), 1n, Symbol("u")];
    for (const value of others) {
      expect(refusal({ type, [field]: value })).toEqual({
        code: "id-not-string",
        path: field,
        expected: "a string or a whole number",
      });
    }
  });

  it("are passed on at any length", () => {
    const userId = "u".repeat(100_000);
    expect(decoded({ type: "track", userId }).userId).toBe(userId);
  });
});

describe("texts", () => {
  const texts = [
    ["track", "event", "not-a-string"],
    ["page", "name", "not-a-string"],
    ["page", "category", "not-a-string"],
    ["screen", "name", "not-a-string"],
    ["screen", "category", "not-a-string"],
    ["identify", "messageId", "bad-message-id"],
  ] as const;

  it.each(texts)("in a call to %s, %s is a text, or %s", (type, field, code) => {
    for (const value of [1, 0, true, {}, [], 1n, new String("x")]) {
      expect(refusal({ type, [field]: value })).toEqual({ code, path: field, expected: "a string" });
    }
    expect(decoded({ type, [field]: "\r\n\u2028" })).toEqual({ type, [field]: "\r\n\u2028" });
    expect(decoded({ type, [field]: null })).toEqual({ type });
  });

  it("that are empty are absent as event and messageId, and stay as name and category", () => {
    expect(decoded({ type: "track", event: "", messageId: "" })).toEqual({ type: "track" });
    expect(decoded({ type: "page", name: "", category: "" })).toEqual({ type: "page", name: "", category: "" });
  });
});

describe("objects", () => {
  const objects = [
    ["identify", "traits"],
    ["group", "traits"],
    ["track", "properties"],
    ["page", "properties"],
    ["screen", "properties"],
    ["alias", "context"],
    ["alias", "integrations"],
  ] as const;

  it.each(objects)("in a call to %s, %s is passed on by reference", (type, field) => {
    const object = JSON.parse('{"a":{"b":[1]},"__proto__":{"x":1},"1":2}') as object;
    expect(Reflect.get(decoded({ type, [field]: object }), field)).toBe(object);
  });

  it.each(objects)("in a call to %s, %s cannot be anything but a plain object", (type, field) => {
    for (const value of [
      "",
      "{}",
      0,
      true,
      ...(field === "integrations" ? [] : [[]]),
      [{}],
      new Date(0),
      new Map(),
      /x/,
      new (class Traits {
        readonly plan = "pro";
      })(),
      (): void => {},
    ]) {
      expect(refusal({ type, [field]: value })).toEqual({ code: "not-an-object", path: field, expected: "an object" });
    }
    expect(decoded({ type, [field]: null })).toEqual({ type });
  });

  it("are absent where integrations is an empty list, as PHP writes an empty map", () => {
    expect(decoded({ type: "alias", integrations: [] })).toEqual({ type: "alias" });
  });

  it("may have any content; unknown switches inside integrations are accepted", () => {
    const integrations = { All: "true", Webhooks: null, webhooks: [], constructor: 0 };
    expect(decoded({ type: "alias", integrations }).integrations).toBe(integrations);
  });
});

describe("instants", () => {
  it("are read in their written forms", () => {
    const timestamp = "2026-01-02T04:04:05.678999+01:00";
    expect(decoded({ type: "track", timestamp, originalTimestamp: "2026-01-02", sentAt: timestamp })).toEqual({
      type: "track",
      timestamp: AT,
      originalTimestamp: Date.UTC(2026, 0, 2),
      sentAt: AT,
    });
  });

  it.each(["timestamp", "originalTimestamp"])("that cannot be read refuse the call, as %s", (field) => {
    for (const value of [
      "",
      "1",
      "2020-02-30T00:00:00Z",
      "0000-01-01",
      1_700_000_000,
      AT,
      true,
      {},
      [],
      new Date(AT),
      ["2026-01-02"],
    ]) {
      expect(refusal({ type: "track", [field]: value })).toEqual({
        code: "bad-timestamp",
        path: field,
        expected: "an ISO 8601 date or date-time of the years 0001 to 9999",
      });
    }
    expect(decoded({ type: "track", [field]: null })).toEqual({ type: "track" });
  });

  it("that cannot be read are absent as sentAt", () => {
    for (const sentAt of ["", "yesterday", "2020-02-30", ["2026-01-02"], 1_700_000_000, {}, [], true, null]) {
      expect(decoded({ type: "track", sentAt })).toEqual({ type: "track" });
    }
  });
});

describe("several broken fields", () => {
  it("are reported one at a time, in a fixed order", () => {
    const value = { properties: 1, integrations: 1, timestamp: 1, userId: {}, messageId: 1, type: "track" };
    expect(refusal(value).path).toBe("messageId");
    expect(refusal({ ...value, messageId: null }).path).toBe("userId");
    expect(refusal({ ...value, messageId: null, userId: null }).path).toBe("timestamp");
  });
});
