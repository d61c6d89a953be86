// Signs a body: lowercase hex HMAC-SHA1, keyed with the shared secret, over exactly the bytes that are sent (spec, webhook
// destination §5, rule 2). It is computed as two hashes where the platform has a one-step hash (RFC 2104): that takes half
// the time of the platform's HMAC, which creates an object for each signature.

import * as crypto from "node:crypto";
import { createHmac } from "node:crypto";

const BLOCK_BYTES = 64;

const DIGEST_BYTES = 20;

/** Data up to this size, enough for any message, is copied behind the inner pad into a buffer that is reused. */
const REUSED_BYTES = 65_536;

/** The bytes 0x36 and 0x5c, four at a time. */
const INNER_PAD = 0x36363636;

const OUTER_PAD = 0x5c5c5c5c;

const encoder = new TextEncoder();

// Not a named import, which would fail in runtimes without `hash`.
const sign = createSignSha1(crypto.hash);

/** The value of X-Signature for these bytes: 40 lowercase hexadecimal digits. */
export function signBody(secret: string, body: Uint8Array): string {
  return sign(secret, body);
}

/** HMAC-SHA1 of `data` under a secret, as 40 lowercase hexadecimal digits. */
type SignSha1 = (secret: string, data: Uint8Array) => string;

/** A hash in one step, as hexadecimal digits. */
type HashOnce = (algorithm: "sha1", data: Uint8Array, encoding: "hex") => string;

/** Signs with `hash`, the platform's one-step hash; if it is undefined, with the platform's HMAC. */
export function createSignSha1(hash: HashOnce | undefined): SignSha1 {
  return hash === undefined ? signByHmac : createSignByHash(hash);
}

function signByHmac(secret: string, data: Uint8Array): string {
  return createHmac("sha1", encoder.encode(secret)).update(data).digest("hex");
}

function createSignByHash(hash: HashOnce): SignSha1 {
  const key = new Uint8Array(BLOCK_BYTES);
  const keyWords = new Uint32Array(key.buffer);
  const reusedBuffer = new Uint8Array(BLOCK_BYTES + REUSED_BYTES);
  const outer = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);
  return (secret, data) => {
    const length = BLOCK_BYTES + data.length;
    const inner = length > reusedBuffer.length ? new Uint8Array(length) : reusedBuffer.subarray(0, length);
    writeKey(secret);
    flip(keyWords, INNER_PAD);
    inner.set(key);
    inner.set(data, BLOCK_BYTES);
    flip(keyWords, INNER_PAD ^ OUTER_PAD);
    outer.set(key);
    writeDigest(hash("sha1", inner, "hex"), outer, BLOCK_BYTES);
    return hash("sha1", outer, "hex");
  };

  /** Writes the secret, or the digest of a secret that is longer than a block, followed by zeros. */
  function writeKey(secret: string): void {
    const { read, written } = encoder.encodeInto(secret, key);
    const isWhole = read === secret.length;
    if (!isWhole) writeDigest(hash("sha1", encoder.encode(secret), "hex"), key, 0);
    key.fill(0, isWhole ? written : DIGEST_BYTES);
  }
}

/** Applies the mask to each word; a second call with the same mask restores the words. */
function flip(words: Uint32Array, mask: number): void {
  words.forEach((word, index) => {
    words[index] = word ^ mask;
  });
}

/** Decodes the hexadecimal digits of a digest and writes its bytes from index `from` on. */
function writeDigest(digits: string, target: Uint8Array, from: number): void {
  for (let index = 0; index < DIGEST_BYTES; index += 1) {
    const [high, low] = [digits.charCodeAt(2 * index), digits.charCodeAt(2 * index + 1)];
    target[from + index] = valueOf(high) * 16 + valueOf(low);
  }
}

/** The value of a hexadecimal digit. The codes of `0` to `9` are 0x30 to 0x39, those of `a` to `f` 0x61 to 0x66. */
function valueOf(code: number): number {
  return code < 0x40 ? code - 0x30 : code - 0x57;
}
