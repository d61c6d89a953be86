// The messageId of a message that nobody called for: derived from what it tells, so that telling it again after a crash is
// known for a repeat (decision: audiences). A digest, since it may be long and hold anything; keyed, so that nobody reads
// user ids out of messageIds.

import { createHmac } from "node:crypto";

const encoder = new TextEncoder();

/** 64 hexadecimal digits. The same for the same key and names, and different if any of them is. */
export function signMessageId(key: string, names: readonly string[]): string {
  // JSON keeps names apart, and writes lone surrogates as escapes: as bytes they would all be the same.
  return createHmac("sha256", encoder.encode(key))
    .update(encoder.encode(JSON.stringify(names)))
    .digest("hex");
}
