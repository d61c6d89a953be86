// The digest by which a write key in plain text is compared with one that the config has only the digest of.

import { createHash } from "node:crypto";

/** The SHA-256 of a text, as 64 lower-case hexadecimal digits. */
export function digestOfKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
