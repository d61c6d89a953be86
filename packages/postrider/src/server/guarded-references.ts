// Where references in the settings of the store lead on this server: never to the private key of its certificate.

import { createSecret, type Secret } from "@postrider/core";
import { MAX_REFERENCE_BYTES } from "../config/limits.js";
import type { References } from "../config/read-expanded.js";
import { readTextFile } from "../config/read-text-file.js";
import type { TlsFiles } from "./tls/tls-pair.js";

/** The key is read anew each time, since it may be exchanged while the server runs. */
export function guardedReferences(references: References, tls: TlsFiles | undefined): References {
  if (tls === undefined) return references;
  const guarded = (): readonly Secret[] => {
    const key = readTextFile(tls.keyFile, MAX_REFERENCE_BYTES);
    return key.kind === "ok" ? [createSecret(key.text)] : [];
  };
  return { ...references, guarded };
}
