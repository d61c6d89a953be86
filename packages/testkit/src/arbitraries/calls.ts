// Calls as core gets them from the decoder, and raw calls as callers send them. `calls` may lack fields that their kind needs;
// `checkedCalls` and `rawCalls` lack none, so that each of them becomes a message.

import { type Call, CALL_KINDS, type CallKind, type JsonObject } from "@postrider/core";
import { checkCall, type CheckedCall } from "@postrider/core/engine";
import fc, { type Arbitrary } from "fast-check";
import { jsonObjects, nastyKeys, nastyNumbers, nastyStrings } from "./nasty-json.js";
import { instants, timestampTexts } from "./timestamps.js";

/** Calls of every kind, each field present or absent independently. */
export function calls(): Arbitrary<Call> {
  const base = {
    messageId: fc.string({ minLength: 1, maxLength: 120 }),
    userId: ids(),
    anonymousId: ids(),
    timestamp: instants(),
    originalTimestamp: instants(),
    sentAt: instants(),
    context: jsonObjects(),
    integrations: integrationObjects(),
  };
  const traits = jsonObjects();
  const view = { ...base, name: nastyStrings(), category: nastyStrings(), properties: jsonObjects() };
  const optional = { requiredKeys: ["type"] as ["type"] };
  const typed = <Type extends CallKind>(type: Type): { readonly type: Arbitrary<Type> } => ({
    type: fc.constant(type),
  });
  return fc.oneof(
    fc.record({ ...typed("identify"), ...base, traits }, optional),
    fc.record({ ...typed("track"), ...base, event: ids(), properties: jsonObjects() }, optional),
    fc.record({ ...typed("page"), ...view }, optional),
    fc.record({ ...typed("screen"), ...view }, optional),
    fc.record({ ...typed("group"), ...base, groupId: ids(), traits }, optional),
    fc.record({ ...typed("alias"), ...base, previousId: ids() }, optional),
  );
}

/** Calls with all fields that their kind needs. */
export function checkedCalls(): Arbitrary<CheckedCall> {
  return calls()
    .map((call) => checkCall(complete(call)))
    .filter((result) => result.kind === "ok")
    .map((result) => result.call);
}

/** An integrations object: any mix of switches, options and invalid values, for the destination `name` and for others. */
export function integrationObjects(name = "Webhooks"): Arbitrary<JsonObject> {
  const key = fc.oneof(fc.constantFrom(name, "All", name.toLowerCase(), "all"), nastyKeys());
  const value = fc.oneof(fc.boolean(), fc.constantFrom(null, 0, 1, "true", ""), jsonObjects(), fc.constant([]));
  return fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/**
 * Calls as `JSON.parse` gives them, all acceptable: ids may be numbers, fields that the kind does not need may be null,
 * some fields are unknown, times are in any accepted form.
 */
export function rawCalls(): Arbitrary<JsonObject> {
  return fc.constantFrom(...CALL_KINDS).chain((type) =>
    fc
      .tuple(fc.dictionary(nastyKeys(), nastyNumbers(), { maxKeys: 3 }), rawFields(), rawNeededFields(type))
      .map(([unknown, fields, neededFields]): JsonObject => ({
        ...unknown,
        ...ALL_NULL,
        ...fields,
        ...neededFields,
        type,
      })),
  );
}

/** Overwrites unknown fields that happen to have the name of a known one. */
const ALL_NULL: JsonObject = {
  messageId: null,
  userId: null,
  anonymousId: null,
  timestamp: null,
  originalTimestamp: null,
  sentAt: null,
  context: null,
  integrations: null,
  event: null,
  properties: null,
  traits: null,
  name: null,
  category: null,
  groupId: null,
  previousId: null,
};

function rawFields(): Arbitrary<JsonObject> {
  const time = timestampTexts().map(({ text }) => text);
  const fields = {
    messageId: orNull(fc.string({ maxLength: 100 })),
    anonymousId: orNull(rawIds()),
    timestamp: orNull(time),
    originalTimestamp: orNull(time),
    sentAt: orNull(fc.oneof(time, nastyNumbers())),
    context: orNull(jsonObjects()),
    integrations: orNull(integrationObjects()),
    properties: orNull(jsonObjects()),
    traits: orNull(jsonObjects()),
    name: orNull(nastyStrings()),
    category: orNull(nastyStrings()),
  };
  return fc.record(fields, { requiredKeys: [] });
}

function rawNeededFields(type: CallKind): Arbitrary<JsonObject> {
  const userId = rawIds();
  switch (type) {
    case "identify":
    case "page":
    case "screen":
      return fc.record({ userId });
    case "track":
      return fc.record({ userId, event: ids() });
    case "group":
      return fc.record({ userId, groupId: rawIds() });
    case "alias":
      return fc.record({ userId, previousId: rawIds() });
  }
}

/** Adds the fields that the kind of the call needs. */
function complete(call: Call): Call {
  const withIds = { ...call, userId: call.userId ?? "u1", messageId: call.messageId?.slice(0, 100) ?? "m1" };
  switch (withIds.type) {
    case "identify":
    case "page":
    case "screen":
      return withIds;
    case "track":
      return { ...withIds, event: withIds.event ?? "Signed Up" };
    case "group":
      return { ...withIds, groupId: withIds.groupId ?? "g1" };
    case "alias":
      return { ...withIds, previousId: withIds.previousId ?? "u0" };
  }
}

function ids(): Arbitrary<string> {
  return nastyStrings().filter((text) => text !== "");
}

function rawIds(): Arbitrary<string | number> {
  return fc.oneof(ids(), fc.maxSafeInteger());
}

function orNull<T>(arbitrary: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(arbitrary, { freq: 8 });
}
