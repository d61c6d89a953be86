// Decides whether a stored call can be sent: its text must be one JSON object of the size of a call, or it would spoil the batch that
// it is put into. What is in the object is for the server to judge. Never throws.

import { isPlainObject } from "../call/is-plain-object.js";
import { utf8Length } from "../intake/measure.js";
import { MAX_CALL_BYTES } from "../limits.js";
import type { KeptCall } from "../ports/call-storage.js";
import type { SerializedCall } from "./write-call.js";

/** The stored call with the size of its text; undefined if the text is damaged. */
export function readKeptCall({ messageId, type, json }: KeptCall): SerializedCall | undefined {
  try {
    const bytes = utf8Length(json);
    return bytes <= MAX_CALL_BYTES && isPlainObject(JSON.parse(json)) ? { messageId, type, json, bytes } : undefined;
  } catch {
    return undefined;
  }
}
