// How a source's write key stands in the settings: as it is, or as the digest of it, so that the settings open nothing
// to whoever reads them. Computes no digest; who looks keys up does (decision: secrets at rest).

import type { Secret } from "./secret.js";

export type WriteKey =
  | { readonly kind: "plain"; readonly key: string }
  /** The key's SHA-256 in 64 lower-case hexadecimal digits. */
  | { readonly kind: "digest"; readonly hex: string }
  /** None; `expected` says what would be one, in words. */
  | { readonly kind: "bad"; readonly expected: string };

const PREFIX = "sha256:";
const HEX = /^[\da-f]{64}$/;

/** What a write key says. A text that begins like a digest is never taken for a key that looks odd. */
export function readWriteKey(writeKey: Secret): WriteKey {
  const text = writeKey.reveal();
  if (text.startsWith(PREFIX)) return readDigest(text.slice(PREFIX.length));
  // Basic auth ends the key at its first colon, so that no library could show this one.
  if (text.includes(":"))
    return { kind: "bad", expected: "a write key without a colon, since Basic auth ends a key there" };
  return { kind: "plain", key: text };
}

function readDigest(hex: string): WriteKey {
  if (HEX.test(hex)) return { kind: "digest", hex };
  return { kind: "bad", expected: "sha256: and 64 lower-case hexadecimal digits" };
}
