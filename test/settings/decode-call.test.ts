// The shape of a call and its leniency: its kind, what counts as an object, which fields count.

import { decodeCall } from "@postrider/relay/settings";
import { type Call, CALL_KINDS, type CallKind, type Refusal } from "@postrider/core";
import { describe, expect, it } from "vitest";

function decoded(value: unknown, kind?: CallKind): Call {
  const result = decodeCall(value, kind);
  if (result.kind === "refused") throw new Error(`refused: ${result.refusal.code} at ${result.refusal.path}`);
  return result.call;
}

function refusal(value: unknown, kind?: CallKind): Refusal {
  const result = decodeCall(value, kind);
  if (result.kind === "ok") throw new Error("decoded");
  return result.refusal;
}

describe("the kind of a call", () => {
  it.each(CALL_KINDS)("%s is one of them", (type) => {
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
      expected: `one of ${CALL_KINDS.join(", ")}`,
    });
  });

  it.each([{}, { type: null }, { type: undefined }, { type: "page" }])("is given by the path for %o", (value) => {
    expect(decoded(value, "page")).toEqual({ type: "page" });
  });

  it.each(["screen", "delete", "", "Page", 0, {}])("cannot be %o if the path gives another", (type) => {
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
