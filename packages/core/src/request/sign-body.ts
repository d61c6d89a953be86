// Signs a body: lowercase hex HMAC-SHA1, keyed with the shared secret (spec, webhook destination §5, rule 2). The
// digest is over the very bytes that are sent.

import { createHmac } from "node:crypto";

const encoder = new TextEncoder();

/** The value of X-Signature for these bytes. */
export function signBody(secret: string, body: Uint8Array): string {
  return createHmac("sha1", encoder.encode(secret)).update(body).digest("hex");
}
