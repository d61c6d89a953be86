// The fields of a call, each with its leniency. Required fields are tested with core.

import { decodeCall } from "@postrider/relay/settings";
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

  it.each(objects)("in a call to %s, %s is empty if it is an empty list, as PHP writes an empty map", (type, field) => {
    expect(decoded({ type, [field]: [] })).toEqual({ type, [field]: {} });
  });

  it("may have any content; unknown switches inside integrations are accepted", () => {
    const integrations = { All: "true", Webhooks: null, webhooks: [], constructor: 0 };
    expect(decoded({ type: "alias", integrations }).integrations).toBe(integrations);
  });
});

const INSTANTS = ["timestamp", "originalTimestamp", "sentAt"];
const TRACK = { kind: "ok", call: { type: "track" } };

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

  it.each(INSTANTS)("that cannot be read are left out and named, as %s", (field) => {
    for (const value of ["1", "2020-02-30T00:00:00Z", "0000-01-01", "03/04/2026", 17, true, {}, [], ["2026-01-02"]]) {
      expect(decodeCall({ type: "track", [field]: value })).toEqual({
        kind: "ok",
        call: { type: "track" },
        unread: [field],
      });
    }
  });

  it.each(INSTANTS)("that are null or empty are absent, as %s", (field) => {
    for (const value of [null, ""]) expect(decodeCall({ type: "track", [field]: value })).toEqual(TRACK);
  });

  it.each(INSTANTS)("are read from numbers, dates and rarer texts, as %s", (field) => {
    const second = Math.floor(AT / 1_000) * 1_000;
    for (const value of [second, second / 1_000, new Date(second), new Date(second).toUTCString()]) {
      expect(decoded({ type: "track", [field]: value })).toEqual({ type: "track", [field]: second });
    }
  });

  it("that cannot be read are all named, and leave those that can", () => {
    const call = { type: "track", timestamp: "2026-01-02", originalTimestamp: "soon", sentAt: "now" };
    expect(decodeCall(call)).toEqual({
      kind: "ok",
      call: { type: "track", timestamp: Date.UTC(2026, 0, 2) },
      unread: ["originalTimestamp", "sentAt"],
    });
  });
});

describe("several broken fields", () => {
  it("are reported one at a time, in a fixed order", () => {
    const value = { properties: 1, integrations: 1, timestamp: 1, userId: {}, messageId: 1, type: "track" };
    expect(refusal(value).path).toBe("messageId");
    expect(refusal({ ...value, messageId: null }).path).toBe("userId");
    expect(refusal({ ...value, messageId: null, userId: null }).path).toBe("integrations");
  });
});
