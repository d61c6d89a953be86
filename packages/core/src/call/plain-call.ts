// Makes plain data of a call that a host hands in as its objects (decision: calls of a host), so that it is read like any other
// call. Only what differs is copied: nearly every call is plain. Does not check the fields.

import type { JsonObject } from "./call.js";
import { asWritten, isObject } from "./host-value.js";
import { isPlainObject } from "./is-plain-object.js";

/**
 * The call with each field as JSON writes it: a date as its text, an instance of a class as its fields. The call itself if it is plain
 * data; a value that is no object is returned as it is. Throws what a getter, a proxy or a `toJSON` throws.
 */
export function plainCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  let plain = isPlainObject(call) ? call : Object.fromEntries(NAMES.map((name) => [name, call[name]]));
  for (const name of NAMES) {
    const value = plain[name];
    if (typeof value === "object" && value !== null && !isPlainObject(value)) {
      plain = { ...plain, [name]: plainField(value, name) };
    }
  }
  return plain;
}

const NAMES = [
  "type",
  "messageId",
  "userId",
  "anonymousId",
  "timestamp",
  "context",
  "integrations",
  "event",
  "groupId",
  "previousId",
  "name",
  "category",
  "properties",
  "traits",
] as const;

function plainField(value: object, name: string): unknown {
  const written = asWritten(value, name);
  // JSON calls the `toJSON` of what a `toJSON` has answered no more.
  return isObject(written) ? withoutToJson({ ...written }) : written;
}

function withoutToJson(fields: Record<string, unknown>): JsonObject {
  return typeof fields["toJSON"] === "function" ? { ...fields, toJSON: undefined } : fields;
}
