// The TLS of the server: which versions, and what a caller may ask for. All options are explicit: some defaults can be changed
// by command line flags of Node.

import { constants } from "node:crypto";
import type { SecureContextOptions } from "node:tls";
import type { TlsPair } from "./tls-pair.js";

/** The options for a pair. A renegotiation, which costs the server more than the caller, is refused. */
export function secureContextOptions({ cert, key }: Pick<TlsPair, "cert" | "key">): SecureContextOptions {
  return { cert, key, minVersion: "TLSv1.2", maxVersion: "TLSv1.3", secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
}
