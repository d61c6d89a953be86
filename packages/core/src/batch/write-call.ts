// Decides what becomes of a call that a host makes: its JSON text, written once and for all, or why it is refused. The
// text is the very bytes that are measured, queued and sent, so that a later change of the host's object changes
// nothing. Never throws, whatever the object does when it is read (decision: values of a host).

import type { CallKind, JsonObject } from "../call/call.js";
import type { Refusal } from "../call/refusal.js";
import { checkCall } from "../intake/check-call.js";
import { checkJson } from "../intake/check-json.js";
import { tooLarge, utf8Length } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import { type AnyCall, readCall } from "./read-call.js";

/** A call as it is queued and sent. */
export interface WrittenCall {
  readonly type: CallKind;
  readonly messageId: string;
  /** The call's JSON text. */
  readonly json: string;
  /** The UTF-8 bytes of it. */
  readonly bytes: number;
}

export type WriteResult =
  { readonly kind: "written"; readonly call: WrittenCall } | { readonly kind: "refused"; readonly refusal: Refusal };

/** What a call gets that does not bring it itself. */
export interface WriteStamp {
  readonly messageId: string;
  /** The client's time, ISO 8601 with milliseconds. */
  readonly timestamp: string;
  readonly library: { readonly name: string; readonly version: string };
}

/** Writes one call. `input` is whatever the host handed in, and stays as it is. */
export function writeCall(type: CallKind, input: unknown, stamp: WriteStamp): WriteResult {
  try {
    return writeRead(type, input, stamp);
  } catch {
    // A getter, a proxy or a toJSON of the host's.
    return refused({ code: "not-an-object", path: "", expected: "an object that can be read" });
  }
}

function writeRead(type: CallKind, input: unknown, stamp: WriteStamp): WriteResult {
  const read = readCall(type, input);
  if (read.kind === "refused") return read;
  const { call } = read;
  const checked = checkCall(call);
  if (checked.kind === "refused") return checked;
  const nested = nestedOf(call, stamp);
  const offence = checkJson(nested);
  if (offence !== undefined) return refused(offence);
  const messageId = call.messageId ?? stamp.messageId;
  const timestamp = call.timestamp === undefined ? stamp.timestamp : formatTimestamp(call.timestamp);
  const json = jsonOf(call, nested, messageId, timestamp);
  const bytes = utf8Length(json);
  if (bytes > MAX_CALL_BYTES) return refused(tooLarge());
  return { kind: "written", call: { type, messageId, json, bytes } };
}

/** What the host nested in the call, and the library, unless the call names one. */
interface Nested extends JsonObject {
  readonly properties: JsonObject | undefined;
  readonly traits: JsonObject | undefined;
  readonly context: JsonObject;
  readonly integrations: JsonObject | undefined;
}

function nestedOf({ properties, traits, context, integrations }: AnyCall, { library }: WriteStamp): Nested {
  return { properties, traits, context: { library, ...context }, integrations };
}

/** Field by field, since an object that always has the same fields is written twice as fast. JSON leaves out the absent. */
function jsonOf(call: AnyCall, nested: Nested, messageId: string, timestamp: string): string {
  return JSON.stringify({
    type: call.type,
    messageId,
    timestamp,
    userId: call.userId,
    anonymousId: call.anonymousId,
    event: call.event,
    groupId: call.groupId,
    previousId: call.previousId,
    name: call.name,
    category: call.category,
    properties: nested.properties,
    traits: nested.traits,
    context: nested.context,
    integrations: nested.integrations,
  });
}

function refused(refusal: Refusal): WriteResult {
  return { kind: "refused", refusal };
}
