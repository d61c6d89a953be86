// Signs a body: lowercase hex HMAC-SHA1, keyed with the shared secret (spec, webhook destination §5, rule 2). The
// digest is over the very bytes that are sent.

import * as crypto from "node:crypto";
import { createSignSha1 } from "./sign-sha1.js";

// Asked for by name, since not every runtime has it, and where one is missing an import would fail.
const sign = createSignSha1(crypto.hash);

/** The value of X-Signature for these bytes. */
export function signBody(secret: string, body: Uint8Array): string {
  return sign(secret, body);
}
