import type { Message } from "@postrider/core";
import { type CheckedCall, encodeMessage, mapCall, deleteMessageOf, parseTimestamp } from "@postrider/core/engine";
import { checkedCalls, instants, jsonObjects, nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, NOW, stamped, text } from "../builders.js";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOON = "2026-01-31T12:00:00.000Z";

/** A stamped call of any kind. */
const stampedCalls = () =>
  fc.record({ call: checkedCalls(), timestamp: instants(), receivedAt: instants() }).map(({ call, ...times }) => ({
    ...stamped(call, times),
    ...(call.timestamp === undefined ? {} : { originalTimestamp: call.timestamp }),
    ...(call.sentAt === undefined ? {} : { sentAt: call.sentAt }),
  }));

/** The keys that each type may have, in the order in which they are sent. */
const KEYS: Readonly<Record<CheckedCall["type"], readonly string[]>> = {
  identify: ["version", "type", "messageId", "anonymousId", "userId", "traits", ...tailKeys()],
  track: ["version", "type", "messageId", "anonymousId", "userId", "event", "properties", ...tailKeys()],
  page: ["version", "type", "messageId", "anonymousId", "userId", "name", "category", "properties", ...tailKeys()],
  screen: ["version", "type", "messageId", "anonymousId", "userId", "name", "category", "properties", ...tailKeys()],
  group: ["version", "type", "messageId", "anonymousId", "userId", "groupId", "traits", ...tailKeys()],
  alias: ["version", "type", "messageId", "anonymousId", "Previous ID", "User ID", ...tailKeys()],
};

function tailKeys(): readonly string[] {
  return ["context", "timestamp", "originalTimestamp", "sentAt", "receivedAt"];
}

describe("mapCall", () => {
  const ids = { userId: "u1", anonymousId: "a1" };
  const context = { ip: "192.0.2.1" };
  const head = { version: 1, messageId: "m1", anonymousId: "a1" };
  const tail = {
    context,
    timestamp: "2026-01-31T11:59:59.000Z",
    originalTimestamp: "2026-01-31T10:59:59.000Z",
    sentAt: "2026-01-31T11:00:00.000Z",
    receivedAt: NOON,
  };
  const times = { timestamp: at(NOW - 1_000), originalTimestamp: at(NOW - 3_601_000), sentAt: at(NOW - 3_600_000) };

  it.each<[CheckedCall, object]>([
    [
      { type: "identify", ...ids, context, traits: { plan: "pro" } },
      { userId: "u1", traits: { plan: "pro" } },
    ],
    [
      { type: "track", ...ids, context, event: "Signed Up", properties: { n: 1 } },
      { userId: "u1", event: "Signed Up", properties: { n: 1 } },
    ],
    [
      { type: "page", ...ids, context, name: "Home", category: "Docs", properties: { path: "/" } },
      { userId: "u1", name: "Home", category: "Docs", properties: { path: "/" } },
    ],
    [
      { type: "screen", ...ids, context, name: "Main", category: "App", properties: { n: 1 } },
      { userId: "u1", name: "Main", category: "App", properties: { n: 1 } },
    ],
    [
      { type: "group", ...ids, context, groupId: "g1", traits: { size: 3 } },
      { userId: "u1", groupId: "g1", traits: { size: 3 } },
    ],
    [
      { type: "alias", ...ids, context, previousId: "u0" },
      { "Previous ID": "u0", "User ID": "u1" },
    ],
  ])("maps a full $type", (call, fields) => {
    const message = mapCall(stamped(call, times));
    expect(message).toEqual({ type: call.type, ...head, ...fields, ...tail });
    expect(Object.keys(message)).toEqual(KEYS[call.type]);
  });

  it.each<[CheckedCall, object]>([
    [
      { type: "identify", userId: "u1" },
      { userId: "u1", traits: {} },
    ],
    [
      { type: "track", userId: "u1", event: "e" },
      { userId: "u1", event: "e", properties: {} },
    ],
    [
      { type: "page", userId: "u1" },
      { userId: "u1", properties: {} },
    ],
    [
      { type: "screen", userId: "u1" },
      { userId: "u1", properties: {} },
    ],
    [
      { type: "group", userId: "u1", groupId: "g" },
      { userId: "u1", groupId: "g", traits: {} },
    ],
    [
      { type: "alias", userId: "u1", previousId: "u0" },
      { "Previous ID": "u0", "User ID": "u1" },
    ],
  ])("fills a bare $type with empty objects and leaves the rest out", (call, fields) => {
    const bare = { version: 1, type: call.type, messageId: "m1", context: {}, timestamp: NOON, receivedAt: NOON };
    expect(mapCall(stamped(call))).toStrictEqual({ ...bare, ...fields });
  });

  it("leaves out userId if the user is not known", () => {
    expect(mapCall(stamped({ type: "page", anonymousId: "a1" }))).not.toHaveProperty("userId");
  });

  it("keeps an empty name, which differs from an absent one", () => {
    expect(mapCall(stamped({ type: "page", userId: "u1", name: "", category: "" }))).toMatchObject({
      name: "",
      category: "",
    });
  });

  it("drops the integrations object, which only concerns routing", () => {
    const message = mapCall(stamped({ type: "page", userId: "u1", integrations: { All: true } }));
    expect(message).not.toHaveProperty("integrations");
  });

  it("writes version 1 and the type of the call (laws 32 and 36)", () => {
    fc.assert(
      fc.property(stampedCalls(), (one) => {
        expect(mapCall(one)).toMatchObject({ version: 1, type: one.call.type });
      }),
    );
  });

  it("writes the ids of an alias under exactly these keys, and no others (law 34)", () => {
    fc.assert(
      fc.property(stampedCalls(), ({ call, ...rest }) => {
        fc.pre(call.type === "alias");
        const message = mapCall({ call, ...rest });
        expect(message).toMatchObject({ "Previous ID": call.previousId, "User ID": call.userId });
        expect(Object.keys(message)).not.toContain("userId");
        expect(Object.keys(message)).not.toContain("previousId");
      }),
    );
  });

  it("has the keys of its type, in their order, and no others, for any call", () => {
    fc.assert(
      fc.property(stampedCalls(), (one) => {
        const keys = Object.keys(mapCall(one));
        expect(keys).toEqual(KEYS[one.call.type].filter((key) => keys.includes(key)));
      }),
    );
  });

  it("writes instants that are the same when read back (law 35)", () => {
    fc.assert(
      fc.property(stampedCalls(), (one) => {
        const message = mapCall(one) as Extract<Message, { version: 1 }>;
        for (const name of ["timestamp", "originalTimestamp", "sentAt", "receivedAt"] as const) {
          const written = message[name];
          expect(written === undefined ? undefined : parseTimestamp(written)).toBe(one[name]);
          if (written !== undefined) expect(written).toMatch(INSTANT);
        }
      }),
    );
  });

  it("never lets traits, properties or context change any other key (law 37)", () => {
    fc.assert(
      fc.property(stampedCalls(), jsonObjects(), (one, hostile) => {
        const free = { context: hostile, traits: hostile, properties: hostile };
        const outer = (message: Message) => ({ ...message, traits: 0, properties: 0, context: 0 });
        const tainted = { ...one, call: { ...one.call, ...free } };
        expect(outer(mapCall(tainted))).toEqual(outer(mapCall(one)));
      }),
    );
  });

  it("uses the caller's objects unchanged (law 37)", () => {
    fc.assert(
      fc.property(jsonObjects(), (object) => {
        const call: CheckedCall = { type: "track", userId: "u1", event: "e", properties: object, context: object };
        const read = JSON.parse(text(encodeMessage(mapCall(stamped(call)))));
        const written = JSON.stringify(object);
        expect(JSON.stringify(read.properties)).toBe(written);
        expect(JSON.stringify(read.context)).toBe(written);
      }),
    );
  });
});

describe("deleteMessageOf", () => {
  it("has exactly type, userId and timestamp, and no version (laws 32 and 33)", () => {
    fc.assert(
      fc.property(nastyStrings(), instants(), (userId, when) => {
        const message = deleteMessageOf(userId, when);
        expect(message).toStrictEqual({ type: "delete", userId, timestamp: new Date(when).toISOString() });
        expect(Object.keys(message)).toEqual(["type", "userId", "timestamp"]);
      }),
    );
  });
});
