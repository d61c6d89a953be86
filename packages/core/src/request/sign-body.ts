// Signs a body: lowercase hex HMAC-SHA1, keyed with the shared secret (spec, webhook destination §5, rule 2). The digest is
// computed over exactly the bytes that are sent. Must not know what the bytes mean.

import * as crypto from "node:crypto";
import { createSignSha1 } from "./sign-sha1.js";

// Not a named import, which would fail in runtimes without `hash`.
const sign = createSignSha1(crypto.hash);

/** The value of X-Signature for these bytes: 40 lowercase hexadecimal digits. */
export function signBody(secret: string, body: Uint8Array): string {
  return sign(secret, body);
}
