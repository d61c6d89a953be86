// The shape of a call and its leniency, field by field. What a call must carry is tested with core.

import { decodeCall } from "@postrider/codec";
import { type Call, CALL_KINDS, type CallKind, type Refusal } from "@postrider/core";
import { describe, expect, it } from "vitest";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function decoded(value: unknown, kind?: CallKind): Call {
  const result = decodeCall(value, kind);
  if (result.kind === "refused") throw new Error(`refused: ${result.refusal.code} at ${result.refusal.path}`);
  return result.call;
}

function refusal(value: unknown, kind?: CallKind): Refusal {
  const result = decodeCall(value, kind);
  if (result.kind === "decoded") throw new Error("decoded");
  return result.refusal;
}

describe("the kind of a call", () => {
  it.each(CALL_KINDS)("%s is one of the six that come in", (type) => {
    expect(decoded({ type })).toEqual({ type });
  });

  it.each([
    "delete",
    "Track",
    "event",
    "",
    " track",
    "__proto__",
    "constructor",
    1,
    true,
    ["track"],
    {},
    null,
    undefined,
  ])("%o is none", (type) => {
    expect(refusal({ type })).toEqual({
      code: "unknown-type",
      path: "type",
      expected: "one of identify, track, page, screen, group, alias",
    });
  });

  it.each([{}, { type: null }, { type: undefined }, { type: "page" }])("is settled by the way in for %o", (value) => {
    expect(decoded(value, "page")).toEqual({ type: "page" });
  });

  it.each(["screen", "delete", "", "Page", 0, {}])("settled by the way in, it is not %o as well", (type) => {
    expect(refusal({ type }, "page")).toEqual({ code: "unknown-type", path: "type", expected: "page" });
  });

  it("is checked before any field", () => {
    expect(refusal({ type: "delete", userId: {} }).code).toBe("unknown-type");
  });
});

describe("a call", () => {
  it.each([
    null,
    undefined,
    "track",
    1,
    true,
    [],
    [{ type: "track" }],
    new Date(0),
    new Map(),
    Symbol("s"),
    () => 1,
    1n,
  ])("is an object, not %o", (value) => {
    expect(refusal(value)).toEqual({ code: "not-an-object", path: "", expected: "an object" });
  });

  it("may be an object without a prototype", () => {
    expect(decoded(Object.assign(Object.create(null), { type: "track", userId: "u1" }))).toEqual({
      type: "track",
      userId: "u1",
    });
  });

  it("may be frozen, and is not changed", () => {
    const value = Object.freeze({ type: "identify", userId: 7, traits: Object.freeze({ a: 1 }) });
    expect(decoded(value)).toEqual({ type: "identify", userId: "7", traits: { a: 1 } });
    expect(value.userId).toBe(7);
  });

  it("whose getter throws is refused", () => {
    const value = {
      type: "track",
      get userId(): string {
        throw new Error("canary");
      },
    };
    expect(refusal(value)).toEqual({ code: "not-an-object", path: "", expected: "an object of plain data" });
  });

  it("whose proxy throws is refused", () => {
    const trap = (): never => {
      throw new Error("canary");
    };
    expect(refusal(new Proxy({}, { getPrototypeOf: trap })).code).toBe("not-an-object");
    expect(refusal(new Proxy({ type: "track" }, { get: trap })).code).toBe("not-an-object");
    expect(refusal(new Proxy({ type: "track" }, { getOwnPropertyDescriptor: trap })).code).toBe("not-an-object");
  });

  it("has only the fields of its kind; unknown ones are dropped, whatever they hold", () => {
    const everything = {
      userId: "u1",
      event: "Signed Up",
      name: "Home",
      category: "Docs",
      groupId: "g1",
      previousId: "u0",
      properties: { p: 1 },
      traits: { t: 1 },
      version: 2,
      channel: {},
      "Previous ID": "u9",
      UserId: 5n,
      writeKey: "wk",
    };
    const fieldsOf = (type: CallKind): readonly string[] => Object.keys(decoded({ ...everything, type })).sort();
    expect(Object.fromEntries(CALL_KINDS.map((type) => [type, fieldsOf(type)]))).toEqual({
      identify: ["traits", "type", "userId"],
      track: ["event", "properties", "type", "userId"],
      page: ["category", "name", "properties", "type", "userId"],
      screen: ["category", "name", "properties", "type", "userId"],
      group: ["groupId", "traits", "type", "userId"],
      alias: ["previousId", "type", "userId"],
    });
  });

  it("is not refused for a bad field that its kind does not have", () => {
    expect(decoded({ type: "identify", event: 1, groupId: {}, previousId: [], name: 5, properties: 1 })).toEqual({
      type: "identify",
    });
  });
});

describe("own fields", () => {
  it("are all that counts: inherited ones are absent", () => {
    const inherited = Object.create({ constructor: Object, userId: "ghost" }) as object;
    expect(refusal(Object.assign(inherited, { type: "track" })).code).toBe("not-an-object");
  });

  it("are all that counts: a __proto__ key reaches nothing", () => {
    const value: unknown = JSON.parse('{"type":"track","__proto__":{"userId":"ghost","event":7}}');
    expect(decoded(value)).toEqual({ type: "track" });
  });

  it("are all that counts, even where Object.prototype was tampered with", () => {
    Object.defineProperty(Object.prototype, "userId", { value: "ghost", configurable: true });
    try {
      expect(Object.hasOwn(decoded({ type: "track" }), "userId")).toBe(false);
      expect(refusal({}).code).toBe("unknown-type");
    } finally {
      Reflect.deleteProperty(Object.prototype, "userId");
    }
  });
});

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

  it.each(places)("in a call to %s, %s may be nothing else", (type, field) => {
    const others = [1.5, 2 ** 53, 1e21, Infinity, NaN, true, false, {}, [], ["u1"], new String("u1"), 1n, Symbol("u")];
    for (const value of others) {
      expect(refusal({ type, [field]: value })).toEqual({
        code: "id-not-string",
        path: field,
        expected: "a string or a whole number",
      });
    }
  });

  it("are carried at any length", () => {
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

  it.each(objects)("in a call to %s, %s is handed on by reference", (type, field) => {
    const object = JSON.parse('{"a":{"b":[1]},"__proto__":{"x":1},"1":2}') as object;
    expect(Reflect.get(decoded({ type, [field]: object }), field)).toBe(object);
  });

  it.each(objects)("in a call to %s, %s is nothing else than a plain object", (type, field) => {
    for (const value of [
      "",
      "{}",
      0,
      true,
      [],
      [{}],
      new Date(0),
      new Map(),
      /x/,
      new (class Traits {})(),
      (): void => {},
    ]) {
      expect(refusal({ type, [field]: value })).toEqual({ code: "not-an-object", path: field, expected: "an object" });
    }
    expect(decoded({ type, [field]: null })).toEqual({ type });
  });

  it("hold anything; odd switches inside integrations are nobody's mistake here", () => {
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
    for (const sentAt of ["", "yesterday", "2020-02-30", 1_700_000_000, {}, [], true, null]) {
      expect(decoded({ type: "track", sentAt })).toEqual({ type: "track" });
    }
  });
});

describe("several broken fields", () => {
  it("are told one at a time, in a fixed order", () => {
    const value = { properties: 1, integrations: 1, timestamp: 1, userId: {}, messageId: 1, type: "track" };
    expect(refusal(value).path).toBe("messageId");
    expect(refusal({ ...value, messageId: null }).path).toBe("userId");
    expect(refusal({ ...value, messageId: null, userId: null }).path).toBe("timestamp");
  });
});
