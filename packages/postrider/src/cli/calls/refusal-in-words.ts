// Writes the rule that a refused call has broken: its code, the place in the call, and what the rule is. What to do at each code
// stands in docs/errors.md.

import type { RefusalCode } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { fieldOf } from "../deliveries/delivery-json.js";

/** `no-event at event`; `an unknown rule` for an answer without a refusal. */
export function refusalCodeInWords(refusal: unknown): string {
  if (!isPlainObject(refusal)) return "an unknown rule";
  const path = fieldOf(refusal, "path");
  return path === "" ? fieldOf(refusal, "code") : `${fieldOf(refusal, "code")} at ${path}`;
}

/** `no-event at event (a track call needs an event)`. A code of a newer server has no words. */
export function refusalInWords(refusal: unknown): string {
  const rule = isPlainObject(refusal) ? WORDS.get(fieldOf(refusal, "code")) : undefined;
  return `${refusalCodeInWords(refusal)}${rule === undefined ? "" : ` (${rule})`}`;
}

const RULES: Readonly<Record<RefusalCode, string>> = {
  "unknown-type": "its type is none of the six kinds of calls",
  "not-an-object": "an object is needed there",
  "not-a-string": "text is needed there",
  "id-not-string": "an id has to be text",
  "no-ids": "it has neither userId nor anonymousId",
  "no-event": "a track call needs the name of its event",
  "no-group-id": "a group call needs a groupId",
  "no-user-id": "an alias call needs a userId",
  "no-previous-id": "an alias call needs a previousId",
  "bad-message-id": "it is empty, or too long",
  "number-not-finite": "a BigInt has no place in JSON: send a number or a text",
  "too-deep": "it has more levels than are stored",
  "too-large": "it has more bytes than are stored",
};
const WORDS: ReadonlyMap<string, string> = new Map(Object.entries(RULES));
