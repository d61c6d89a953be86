// A text that must not be shown: printing, inspecting or stringifying the object reveals nothing. The text is read only by
// calling `reveal`, so that every use of it can be found. Reads static headers, and write keys, which may be digests
// (decision: secrets at rest); the code that looks keys up computes digests.

/** A text that must not be shown: printing it, or writing it as JSON, does not reveal it. */
export interface Secret {
  /** The text itself. Only for signing and for comparing. */
  reveal(): string;
}

/** Wraps `text` so that logs, errors, `JSON.stringify` and inspection do not show it. */
export function createSecret(text: string): Secret {
  return { reveal: (): string => text };
}

/** The value as it is sent. */
export function revealValue(value: string | Secret): string {
  return typeof value === "string" ? value : value.reveal();
}

const PREFIX = "sha256:";

const HEX = /^[\da-f]{64}$/;

/** A write key in clear, the digest of one, or neither. */
export type ReadWriteKeyResult =
  | { readonly kind: "plain"; readonly key: string }
  /** The key's SHA-256 in 64 lower-case hexadecimal digits. */
  | { readonly kind: "digest"; readonly hex: string }
  /** Not a write key; `expected` describes a valid write key in words. */
  | { readonly kind: "refused"; readonly expected: string };

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
