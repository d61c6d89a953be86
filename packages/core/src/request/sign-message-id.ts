// Derives the messageId of a message that does not come from a call, such as a change of an audience, from its content, so that
// the same message after a crash is recognised as a duplicate (decision: audiences). A digest, since the content may be long;
// keyed, so that user ids cannot be guessed from messageIds.

import { createHmac } from "node:crypto";

const encoder = new TextEncoder();

/** HMAC-SHA256 of the values that identify the message, under the key, as 64 lowercase hexadecimal digits. */
export function signMessageId(key: string, values: readonly string[]): string {
  // JSON separates the values, and escapes lone surrogates, which would all have the same bytes in UTF-8.
  return createHmac("sha256", encoder.encode(key))
    .update(encoder.encode(JSON.stringify(values)))
    .digest("hex");
}
