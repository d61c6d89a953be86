// Turns a host's input into the JSON text of a call, or refuses it. The text is written once, then measured, queued and sent unchanged, so
// that later changes of the host's object have no effect. Never throws, even if the object throws while it is read (decision: calls of a
// host).

import type { CallKind } from "../call/call.js";
import type { Refusal } from "../call/refusal.js";
import { refuseCall, type RefusedCall } from "../call/refuse-call.js";
import { checkCall } from "../intake/check-call.js";
import { tooLarge } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { type AnyCall, EXPECTED_OBJECT, readCall } from "./read-call.js";
import { escapeJson, refusalOf, writeJson, type WriteTotals } from "./write-json.js";

/** A call as it is queued and sent. */
export interface SerializedCall {
  readonly type: CallKind;
  readonly messageId: string;
  /** The call's JSON text. */
  readonly json: string;
  /** The length of `json` in UTF-8 bytes, at most 32,768. */
  readonly bytes: number;
}

/** A call as JSON text, or the refusal for the first rule that the call breaks. */
export type WriteResult = { readonly kind: "ok"; readonly call: SerializedCall } | RefusedCall;

/** Values for fields that the input does not have. */
export interface WriteStamp {
  /** A text that JSON does not escape. */
  readonly messageId: string;
  /** The client's time, ISO 8601 with milliseconds. */
  readonly timestamp: string;
  /** The library's name and version, as JSON text. */
  readonly library: string;
}

/** Writes one call. Refuses the call for the first rule that it breaks. `input` may be any value. Never throws. */
export function writeCall(type: CallKind, input: unknown, stamp: WriteStamp): WriteResult {
  try {
    return writeChecked(type, input, stamp);
  } catch {
    // A getter, a proxy or a toJSON of the input has thrown.
    return refuseCall("not-an-object", "", EXPECTED_OBJECT);
  }
}

function writeChecked(type: CallKind, input: unknown, stamp: WriteStamp): WriteResult {
  const result = readCall(type, input);
  if (result.kind === "refused") return result;
  const { call, timestamp } = result;
  const checked = checkCall(call);
  if (checked.kind === "refused") return checked;
  const totals: WriteTotals = { left: MAX_CALL_BYTES, extraBytes: 0 };
  const fields = writeFields(call, stamp.library, totals);
  if (typeof fields !== "string") return refuse(fields);
  const timestampJson = timestamp === undefined ? `"${stamp.timestamp}"` : writeJson(timestamp, FIELD_LEVEL, totals);
  if (typeof timestampJson !== "string") return refuse(refusalOf(timestampJson, "timestamp"));
  const { messageId = stamp.messageId } = call;
  const id = messageId === stamp.messageId ? messageId : escapeJson(messageId, totals);
  const head = `"type":"${type}","messageId":"${id}","timestamp":${timestampJson}`;
  const json = flatten(`{${head}${fields}}`);
  const bytes = json.length + totals.extraBytes;
  if (bytes > MAX_CALL_BYTES) return refuse(tooLarge());
  return { kind: "ok", call: { type, messageId, json, bytes } };
}

/** The fields of the call after its head, as JSON, each preceded by a comma. */
function writeFields(call: AnyCall, library: string, totals: WriteTotals): string | Refusal {
  let text = "";
  for (const [name, key] of FIELDS) {
    const value = call[name];
    if (value === undefined) continue;
    const fieldJson = writeJson(value, FIELD_LEVEL, totals);
    if (typeof fieldJson !== "string") return refusalOf(fieldJson, name);
    text += key + fieldJson;
  }
  const { context = {} } = call;
  const contextJson = writeJson(context, FIELD_LEVEL, totals);
  if (typeof contextJson !== "string") return refusalOf(contextJson, "context");
  return `${text},"context":${Object.hasOwn(context, "library") ? contextJson : withLibrary(contextJson, library)}`;
}

/** Appends the library as the last field. The integer keys of the context, which objects keep first, stay first. */
function withLibrary(context: string, library: string): string {
  return `${context === "{}" ? "{" : `${context.slice(0, -1)},`}"library":${library}}`;
}

/** The fields between the head and the context, each with its key as it is written. */
const FIELDS = (
  [
    "userId",
    "anonymousId",
    "event",
    "groupId",
    "previousId",
    "name",
    "category",
    "properties",
    "traits",
    "integrations",
  ] as const
).map((name) => [name, `,"${name}":`] as const);

/** The level of a field's value. The call itself is level 1. */
const FIELD_LEVEL = 2;

/** The same text in one piece: an engine keeps concatenated pieces apart until a character of the text is accessed. */
function flatten(text: string): string {
  return text.slice(text.indexOf("{"));
}

function refuse(refusal: Refusal): RefusedCall {
  return { kind: "refused", refusal };
}
