// Writes the message of a test event: that of a call that could have been accepted, with a mark in its context. Knows no
// destination.

import { decodeCall } from "@postrider/codec";
import type { Body, EpochMs, JsonObject, Refusal } from "@postrider/core";
import { checkCall, checkMerged, encodeMessage, isPlainObject, mapCall, stampCall } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";

/** The message of a test event. */
export interface TestMessage {
  readonly messageId: string;
  readonly body: Body;
}

const DEFAULT_CALL: JsonObject = { type: "track", event: "Test Event", anonymousId: "postrider-test" };

/** The message of a call with `context.test` = true and the given id; a refusal if such a call would be refused. */
export function writeTestMessage(call: unknown, messageId: string, now: EpochMs): Result<TestMessage, Refusal> {
  try {
    return writeMarked(call ?? DEFAULT_CALL, messageId, now);
  } catch {
    // Only an object of the host can cause this, by a getter or a `toJSON` that throws.
    return err({ code: "not-an-object", path: "", expected: "a call that JSON can carry" });
  }
}

function writeMarked(call: unknown, messageId: string, now: EpochMs): Result<TestMessage, Refusal> {
  if (!isPlainObject(call)) return err({ code: "not-an-object", path: "", expected: "an object" });
  const marked = mark(call, messageId);
  const merged = checkMerged(marked);
  if (merged.kind === "refused") return err(merged.refusal);
  const decoded = decodeCall(marked);
  if (decoded.kind === "refused") return err(decoded.refusal);
  const checked = checkCall(decoded.call);
  if (checked.kind === "refused") return err(checked.refusal);
  return ok({ messageId, body: encodeMessage(mapCall(stampCall(checked.call, { messageId }, now))) });
}

/** A context that is no object stays as it is, and is refused. */
function mark(call: JsonObject, messageId: string): JsonObject {
  const context = call["context"] ?? {};
  return { ...call, messageId, context: isPlainObject(context) ? { ...context, test: true } : context };
}
