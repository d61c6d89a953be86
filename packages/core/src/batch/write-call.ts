// Decides what becomes of a call that a host makes: its JSON text, written once and for all, or why it is refused. The
// text is the very bytes that are measured, queued and sent, so that a later change of the host's object changes
// nothing. Never throws, whatever the object does when it is read (decision: values of a host).

import type { Call, CallKind, JsonObject } from "../call/call.js";
import type { Refusal } from "../call/refusal.js";
import type { EpochMs } from "../ids.js";
import { checkCall } from "../intake/check-call.js";
import { checkJson } from "../intake/check-json.js";
import { tooLarge, utf8Length } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import { formatTimestamp } from "../time/format-timestamp.js";
import { readCall } from "./read-call.js";

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
  readonly library: { readonly name: string; readonly version: string };
}

/** Writes one call; `now` is its time if it brings none. `input` is whatever the host handed in, and stays as it is. */
export function writeCall(type: CallKind, input: unknown, stamp: WriteStamp, now: EpochMs): WriteResult {
  try {
    return writeRead(type, input, stamp, now);
  } catch {
    // A getter, a proxy or a toJSON of the host's.
    return refused({ code: "not-an-object", path: "", expected: "an object that can be read" });
  }
}

function writeRead(type: CallKind, input: unknown, stamp: WriteStamp, now: EpochMs): WriteResult {
  const read = readCall(type, input);
  if (read.kind === "refused") return read;
  const checked = checkCall(read.call);
  if (checked.kind === "refused") return checked;
  const whole = complete(checked.call, stamp, now);
  const offence = checkJson(whole);
  if (offence !== undefined) return refused(offence);
  const json = JSON.stringify(whole);
  const bytes = utf8Length(json);
  if (bytes > MAX_CALL_BYTES) return refused(tooLarge());
  return { kind: "written", call: { type, messageId: whole.messageId, json, bytes } };
}

interface CompleteCall extends JsonObject {
  readonly messageId: string;
}

/** The call's own context goes first, its library included. */
function complete(call: Call, { messageId, library }: WriteStamp, now: EpochMs): CompleteCall {
  return {
    ...call,
    messageId: call.messageId ?? messageId,
    timestamp: formatTimestamp(call.timestamp ?? now),
    context: { library, ...call.context },
  };
}

function refused(refusal: Refusal): WriteResult {
  return { kind: "refused", refusal };
}
