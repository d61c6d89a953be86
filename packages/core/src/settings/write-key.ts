// Reads the write key of a source from the settings: the key itself, or its digest, so that a reader of the settings gets no
// access (decision: secrets at rest). Must not compute digests; the code that looks keys up does.

import type { Secret } from "./secret.js";

/** A write key in clear, the digest of one, or neither. */
export type ReadWriteKeyResult =
  | { readonly kind: "plain"; readonly key: string }
  /** The key's SHA-256 in 64 lower-case hexadecimal digits. */
  | { readonly kind: "digest"; readonly hex: string }
  /** Not a write key; `expected` describes a valid write key in words. */
  | { readonly kind: "refused"; readonly expected: string };

const PREFIX = "sha256:";
const HEX = /^[\da-f]{64}$/;

/** Reads a write key, without blanks and line ends around it. A text that begins with `sha256:` is a digest or refused, never a plain key. */
export function readWriteKey(writeKey: Secret): ReadWriteKeyResult {
  const text = writeKey.reveal().trim();
  if (text.startsWith(PREFIX)) return readDigest(text.slice(PREFIX.length));
  // In Basic authentication a key ends at the first colon, so no library could send this key.
  if (text.includes(":"))
    return { kind: "refused", expected: "a write key without a colon, since Basic auth ends a key there" };
  return { kind: "plain", key: text };
}

function readDigest(hex: string): ReadWriteKeyResult {
  if (HEX.test(hex)) return { kind: "digest", hex };
  return { kind: "refused", expected: "sha256: and 64 lower-case hexadecimal digits" };
}
