// HMAC-SHA1 (RFC 2104), computed as two hashes where the platform has a one-step hash: two hashes take half the time
// of the platform's HMAC, which creates an object for each signature. The result is the same. Must not know what is signed.

import { createHmac } from "node:crypto";

/** HMAC-SHA1 of `data` under a secret, as 40 lowercase hexadecimal digits. */
export type SignSha1 = (secret: string, data: Uint8Array) => string;

/** A hash in one step, as hexadecimal digits. */
export type HashOnce = (algorithm: "sha1", data: Uint8Array, encoding: "hex") => string;

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 20;
/** Data up to this size, enough for any message, is copied behind the inner pad into a buffer that is reused. */
const REUSED_BYTES = 65_536;

/** The bytes 0x36 and 0x5c, four at a time. */
const INNER_PAD = 0x36363636;
const OUTER_PAD = 0x5c5c5c5c;

const encoder = new TextEncoder();

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
  const reused = new Uint8Array(BLOCK_BYTES + REUSED_BYTES);
  const outer = new Uint8Array(BLOCK_BYTES + DIGEST_BYTES);
  return (secret, data) => {
    const length = BLOCK_BYTES + data.length;
    const inner = length > reused.length ? new Uint8Array(length) : reused.subarray(0, length);
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
