// Decides what becomes of a call that a host makes: its JSON text, written once and for all, or why it is refused. The
// text is the very bytes that are measured, queued and sent, so that a later change of the host's object changes
// nothing. Never throws, whatever the object does when it is read (decision: values of a host).

import type { CallKind, JsonObject } from "../call/call.js";
import type { Refusal } from "../call/refusal.js";
import { checkCall } from "../intake/check-call.js";
import { tooLarge } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import { type AnyCall, readCall } from "./read-call.js";
import { type Draft, escaped, refusalOf, writeFields } from "./write-json.js";

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
  /** The library's name and version, as JSON text. */
  readonly library: string;
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
  const messageId = call.messageId ?? stamp.messageId;
  const timestamp = call.timestamp === undefined ? stamp.timestamp : formatTimestamp(call.timestamp);
  const draft: Draft = { left: MAX_CALL_BYTES, beyond: 0 };
  const texts = writeTexts({ type, messageId, timestamp }, call, draft);
  const objects = writeObjects(call, stamp.library, draft);
  if (typeof objects !== "string") return refused(objects);
  const json = inOnePiece(`{${texts}${objects}}`);
  const bytes = json.length + draft.beyond;
  if (bytes > MAX_CALL_BYTES) return refused(tooLarge());
  return { kind: "written", call: { type, messageId, json, bytes } };
}

type Head = Pick<WrittenCall, "type" | "messageId"> & { readonly timestamp: string };

/** All of a call that is text. */
function writeTexts({ type, messageId, timestamp }: Head, call: AnyCall, draft: Draft): string {
  let text = `"type":"${type}","messageId":"${escaped(messageId, draft)}","timestamp":"${timestamp}"`;
  for (const name of TEXTS) {
    const value = call[name];
    if (value !== undefined) text += `,"${name}":"${escaped(value, draft)}"`;
  }
  return text;
}

/** What the host nested in a call, each behind a comma; and in its context the library, unless the host names one. */
function writeObjects(call: AnyCall, library: string, draft: Draft): string | Refusal {
  let text = "";
  for (const name of OBJECTS) {
    const value = call[name];
    const fields = value === undefined ? "" : writeFields(value, OBJECT_LEVEL, draft);
    if (typeof fields !== "string") return refusalOf(fields, name);
    if (name === "context") text += `,"context":{${withLibrary(fields, value, library)}}`;
    else if (value !== undefined) text += `,"${name}":{${fields}}`;
  }
  return text;
}

/** Last, since keys that are whole numbers always come first. */
function withLibrary(fields: string, context: JsonObject | undefined, library: string): string {
  if (context !== undefined && Object.hasOwn(context, "library")) return fields;
  return `${fields}${fields === "" ? "" : ","}"library":${library}`;
}

const TEXTS = ["userId", "anonymousId", "event", "groupId", "previousId", "name", "category"] as const;
const OBJECTS = ["properties", "traits", "context", "integrations"] as const;

/** The call itself is the first level. */
const OBJECT_LEVEL = 2;

/** The same text: engines keep one as the pieces that it was made of, at several times its size, until it is looked into. */
function inOnePiece(text: string): string {
  return text.endsWith("}") ? text : "";
}

function refused(refusal: Refusal): WriteResult {
  return { kind: "refused", refusal };
}
