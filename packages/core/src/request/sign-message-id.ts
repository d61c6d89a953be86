// Derives a messageId from the content of a message that no caller sent, such as a change of an audience. So the same message,
// built again after a crash, is recognised as a duplicate (decision: audiences). The id is a digest, since the content may be
// long. The digest is keyed, so that user ids cannot be guessed from messageIds.

import { createHmac } from "node:crypto";

const encoder = new TextEncoder();

/** HMAC-SHA256 of the values that identify the message, under the key, as 64 lowercase hexadecimal digits. */
export function signMessageId(key: string, values: readonly string[]): string {
  // JSON separates the values, and escapes lone surrogates, which would all have the same bytes in UTF-8.
  return createHmac("sha256", encoder.encode(key))
    .update(encoder.encode(JSON.stringify(values)))
    .digest("hex");
}
