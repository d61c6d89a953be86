import {
  type CallKind,
  CLIENT_CLOSED,
  explainRefusal,
  QUEUE_FULL,
  writeCall,
  type WriteStamp,
} from "@postrider/core/batch";
import fc from "fast-check";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { HOST_VALUES } from "../../vectors/corpus/host-values.js";

const LIBRARY = { name: "@postrider/client", version: "0.1.0" };
const STAMP: WriteStamp = {
  messageId: "made",
  timestamp: "2026-01-31T12:00:00.000Z",
  library: JSON.stringify(LIBRARY),
};

function write(type: CallKind, input: unknown): Record<string, unknown> {
  const result = writeCall(type, input, STAMP);
  if (result.kind === "refused") throw new Error(result.refusal.code);
  return JSON.parse(result.call.json) as Record<string, unknown>;
}

function refusalOf(type: CallKind, input: unknown): { readonly code: string; readonly path: string } {
  const result = writeCall(type, input, STAMP);
  if (result.kind === "ok") throw new Error(`written: ${result.call.json}`);
  const { code, path } = result.refusal;
  return { code, path };
}

describe("a written call", () => {
  it("has its type, an id, the client's time and the library", () => {
    expect(write("identify", { userId: "u1", traits: { plan: "pro" } })).toEqual({
      type: "identify",
      messageId: "made",
      timestamp: "2026-01-31T12:00:00.000Z",
      userId: "u1",
      traits: { plan: "pro" },
      context: { library: LIBRARY },
    });
  });

  it("keeps the id, the time, the context and the integrations of the input", () => {
    const given = {
      userId: "u1",
      event: "e",
      messageId: "m1",
      context: { ip: "203.0.113.7", library: { name: "own" } },
      integrations: { All: false, CRM: true },
    };
    const written = { ...given, type: "track", timestamp: "2020-02-29T11:00:00.120Z" };
    expect(write("track", { ...given, timestamp: "2020-02-29T11:00:00.120Z" })).toEqual(written);
    expect(write("track", { ...given, timestamp: new Date("2020-02-29T11:00:00.120Z") })).toEqual(written);
  });

  it.each(["2020-02-29T12:00:00.1209+01:00", "yesterday", '"\n', 1_700_000_000])(
    "has the timestamp %j as it is, for the server to read",
    (timestamp) => {
      expect(write("page", { userId: "u1", timestamp })).toMatchObject({ timestamp });
    },
  );

  it.each([null, new Date(NaN), {}, [], true, 10n, () => 1, Symbol("s"), { toJSON: () => null }])(
    "has the client's time where the timestamp is none: %s",
    (timestamp) => {
      expect(write("page", { userId: "u1", timestamp })).toMatchObject({ timestamp: STAMP.timestamp });
    },
  );

  it("takes objects of another realm, of a class, and those that write themselves", () => {
    const at = { toJSON: (key: string) => `at ${key}` };
    const others = [
      runInNewContext("({ a: 1 })"),
      new (class Traits {
        readonly a = 1;
      })(),
      { b: 1, toJSON: () => ({ a: 1 }) },
      { a: 1, toJSON: (): unknown => others[3] },
    ] as object[];
    for (const fields of others) {
      const call = { userId: { toJSON: () => "u1" }, timestamp: at, context: fields, integrations: fields };
      expect(write("page", { ...call, traits: fields, properties: fields })).toMatchObject({
        userId: "u1",
        timestamp: "at timestamp",
        properties: { a: 1 },
        integrations: { a: 1 },
        context: { a: 1, library: LIBRARY },
      });
      expect(write("identify", { userId: "u1", traits: fields })["traits"]).toEqual({ a: 1 });
    }
    expect(write("identify", runInNewContext('({ userId: "u1", traits: { a: 1 } })'))).toMatchObject({
      traits: { a: 1 },
    });
  });

  it("is read from its fields, also those of a class that has getters and writes itself as something else", () => {
    class Made {
      get userId(): string {
        return "u1";
      }
      toJSON(): object {
        return {};
      }
    }
    expect(write("page", Object.assign(new Made(), { name: "Home" }))).toMatchObject({ userId: "u1", name: "Home" });
  });

  it("reads an empty list as an object without fields", () => {
    const written = write("track", { userId: "u1", event: "e", properties: [], context: [], integrations: [] });
    expect(written).toMatchObject({ context: { library: LIBRARY } });
    expect(written).not.toHaveProperty("properties");
  });

  it("reads null as absent, whole numbers as ids, and empty ids as absent", () => {
    expect(write("group", { userId: 7, anonymousId: null, groupId: 12, messageId: "", traits: null })).toMatchObject({
      userId: "7",
      groupId: "12",
      messageId: "made",
    });
    expect(write("page", { userId: "", anonymousId: "a1", name: "" })).toMatchObject({ anonymousId: "a1", name: "" });
  });

  it("merges the traits of a page into its properties, which have precedence", () => {
    const traits = { url: "https://a.example", title: "A", referrer: "r", path: "/a", own: 1 };
    for (const type of ["page", "screen"] as const) {
      const written = write(type, { userId: "u1", category: "Docs", traits, properties: { title: "B" } });
      expect(written["properties"]).toEqual({ ...traits, title: "B" });
      expect(written).not.toHaveProperty("traits");
      expect(write(type, { userId: "u1", traits })["properties"]).toEqual(traits);
      expect(write(type, { userId: "u1", properties: { title: "B" } })["properties"]).toEqual({ title: "B" });
    }
  });

  it("has the library behind the fields of a context, and alone in an empty one", () => {
    const contextOf = (context: object) =>
      JSON.stringify(write("track", { userId: "u1", event: "e", context })["context"]);
    expect(contextOf({})).toBe(`{"library":${STAMP.library}}`);
    expect(contextOf({ ip: "x" })).toBe(`{"ip":"x","library":${STAMP.library}}`);
  });

  it("has the traits of an alias or a track call no more than any other unknown field", () => {
    expect(write("alias", { userId: "u1", previousId: "u0", traits: { a: 1 } })).not.toHaveProperty("traits");
    expect(write("track", { userId: "u1", event: "e", traits: { a: 1 } })).not.toHaveProperty("traits");
  });

  it("has no properties if a page has neither properties nor traits", () => {
    expect(write("page", { userId: "u1" })).not.toHaveProperty("properties");
  });

  it("has none of the fields behind a key called __proto__, and drops unknown ones", () => {
    const input = Object.assign(Object.create(null) as object, { userId: "u1", event: "e", version: 2 });
    expect(write("track", input)).not.toHaveProperty("version");
    expect(refusalOf("track", { ["__proto__"]: { event: "e" }, userId: "u1" }).code).toBe("no-event");
    expect(refusalOf("track", Object.defineProperty({ userId: "u1" }, "x", { value: 1 })).code).toBe("no-event");
  });

  it("is a snapshot, and leaves the host's objects as they are", () => {
    const properties = Object.freeze({ list: Object.freeze([1]), at: new Date(0) });
    const input = Object.freeze({ userId: "u1", event: "e", properties, context: Object.freeze({}) });
    const before = JSON.stringify(input);
    expect(write("track", input)["properties"]).toEqual({ list: [1], at: "1970-01-01T00:00:00.000Z" });
    expect(JSON.stringify(input)).toBe(before);
  });

  it("is measured in the UTF-8 bytes of its text", () => {
    const base = { userId: "u1", event: "e", properties: { text: "" } };
    const bare = Buffer.byteLength(JSON.stringify(write("track", base)));
    const filled = (bytes: number): unknown => ({ ...base, properties: { text: "é".repeat((bytes - bare) >> 1) } });
    const even = bare % 2 === 0 ? 32_768 : 32_767;
    const result = writeCall("track", filled(even), STAMP);
    expect(result).toMatchObject({ kind: "ok", call: { type: "track", messageId: "made", bytes: even } });
    expect(refusalOf("track", filled(even + 2))).toEqual({ code: "too-large", path: "" });
  });
});

describe("a refused call", () => {
  it.each([
    ["track", { userId: "u1" }, "no-event", "event", "You must pass 'event'."],
    ["track", { event: "e" }, "no-ids", "", "You must pass either an 'anonymousId' or 'userId'."],
    ["identify", {}, "no-ids", "", "You must pass either an 'anonymousId' or 'userId'."],
    ["group", { traits: {} }, "no-group-id", "groupId", "You must pass a 'groupId'."],
    ["alias", { previousId: "a" }, "no-user-id", "userId", "You must pass a 'userId'."],
    ["alias", { userId: "a" }, "no-previous-id", "previousId", "You must pass a 'previousId'."],
  ] as const)("of %s says what is missing: %j", (type, input, code, path, message) => {
    const result = writeCall(type, input, STAMP);
    expect(result.kind === "refused" && explainRefusal(result.refusal)).toEqual({ code, path, message });
  });

  it.each([
    ["track", { userId: {}, event: "e" }, "id-not-string", "userId"],
    ["track", { userId: 1.5, event: "e" }, "id-not-string", "userId"],
    ["track", { userId: "u1", event: 1 }, "not-a-string", "event"],
    ["page", { userId: "u1", name: 1 }, "not-a-string", "name"],
    ["track", { userId: "u1", event: "e", properties: [1] }, "not-an-object", "properties"],
    ["track", { userId: "u1", event: "e", context: "c" }, "not-an-object", "context"],
    ["track", { userId: "u1", event: "e", messageId: 1 }, "bad-message-id", "messageId"],
    ["track", { userId: "u1", event: "e", messageId: "x".repeat(101) }, "bad-message-id", "messageId"],
    ["track", { userId: "u1", event: "e", properties: { list: [1, 1n] } }, "number-not-finite", "properties.list[1]"],
    ["track", { userId: "u1", event: "e", properties: new Map() }, "not-an-object", "properties"],
    ["track", { userId: "u1", event: "e", timestamp: "x".repeat(33_000) }, "too-large", ""],
  ] as const)("of %s names the place: %o", (type, input, code, path) => {
    expect(refusalOf(type, input)).toEqual({ code, path });
  });

  it.each([
    ["track", { userId: {}, event: "e" }, "userId: expected a string or a whole number."],
    ["track", { userId: "u1", event: 1 }, "event: expected a string."],
    ["page", { userId: "u1", name: 1 }, "name: expected a string."],
    ["screen", { userId: "u1", category: 1 }, "category: expected a string."],
    ["page", { userId: "u1", traits: "t" }, "traits: expected an object of plain data."],
    ["identify", { userId: "u1", traits: [1] }, "traits: expected an object of plain data."],
    ["group", { userId: "u1", groupId: "g", traits: 1 }, "traits: expected an object of plain data."],
    ["alias", { userId: "u1", previousId: {} }, "previousId: expected a string or a whole number."],
    ["track", { userId: "u1", event: "e", messageId: 1 }, "messageId: expected a string."],
    ["track", { userId: "u1", event: "e", context: { a: 1n } }, "context.a: expected a number that JSON can carry."],
    ["track", "text", "Expected an object of plain data."],
  ] as const)("of %s says in words what is expected: %o", (type, input, message) => {
    const result = writeCall(type, input, STAMP);
    expect(result.kind === "refused" && explainRefusal(result.refusal).message).toBe(message);
  });

  it("is one whose getter throws", () => {
    const throws = () => {
      throw new Error("no");
    };
    const result = writeCall("track", Object.defineProperty({}, "userId", { get: throws }), STAMP);
    expect(result.kind === "refused" && explainRefusal(result.refusal)).toEqual({
      code: "not-an-object",
      path: "",
      message: "Expected an object of plain data.",
    });
  });

  it("says that the queue is full, or the client closed", () => {
    expect(QUEUE_FULL).toEqual({ code: "queue-full", path: "", message: "The queue is full." });
    expect(CLIENT_CLOSED).toEqual({ code: "closed", path: "", message: "The client is closed." });
  });

  it.each([undefined, null, 1, "text", [], () => 1, new Date(0), Symbol("s")])(
    "is any input that is not an object: %s",
    (input) => {
      expect(refusalOf("track", input)).toEqual({ code: "not-an-object", path: "" });
    },
  );

  it("may be one whose text would be longer than any text can be", () => {
    const text = "x".repeat(32_000);
    const list = Array.from({ length: 20_000 }, () => text);
    expect(refusalOf("track", { userId: "u1", event: "e", properties: { list } })).toEqual({
      code: "too-large",
      path: "",
    });
  });

  it("may be one that JSON.stringify cannot write", () => {
    const input = { userId: "u1", event: "e", properties: { n: 1n } };
    expect(refusalOf("track", input)).toEqual({ code: "number-not-finite", path: "properties.n" });
  });

  it("never shows the value that was found", () => {
    const result = writeCall("track", { userId: "u1", event: "e", properties: "CANARY" }, STAMP);
    expect(result.kind === "refused" && explainRefusal(result.refusal)).toEqual({
      code: "not-an-object",
      path: "properties",
      message: "properties: expected an object of plain data.",
    });
    expect(explainRefusal({ code: "too-large", path: "", expected: "less" }).message).toBe("Expected less.");
  });
});

describe("the values of a host", () => {
  const places: readonly ((value: unknown) => unknown)[] = [
    (value) => value,
    (value) => ({ userId: "u1", event: "e", properties: value }),
    (value) => ({ userId: "u1", event: "e", properties: { x: value } }),
    (value) => ({ userId: "u1", event: "e", context: { list: [value] } }),
    (value) => ({ userId: value, event: "e" }),
    (value) => ({ userId: "u1", event: "e", timestamp: value }),
  ];

  it.each(Object.keys(HOST_VALUES))("are written as by JSON.stringify, or refused with a path: %s", (name) => {
    for (const place of places) {
      const result = writeCall("track", place(HOST_VALUES[name]!()), STAMP);
      if (result.kind === "refused") expect(explainRefusal(result.refusal).message).not.toContain("CANARY");
      else expect(JSON.stringify(JSON.parse(result.call.json))).toBe(result.call.json);
    }
  });

  it("never make it throw, and never exceed the size limit", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      maxDepth: 4,
    });
    const call = fc.record(
      { userId: anything, event: anything, properties: anything, context: anything, timestamp: anything },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, call), (input) => {
        const result = writeCall("track", input, STAMP);
        if (result.kind === "refused") return explainRefusal(result.refusal).message !== "";
        return Buffer.byteLength(result.call.json) === result.call.bytes && result.call.bytes <= 32_768;
      }),
    );
  });
});
