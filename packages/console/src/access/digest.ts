// Digests of what people show: texts are compared in constant time, so that the time shows nothing about a guess.

import { createHmac, timingSafeEqual, createHash } from "node:crypto";

/** Whether two texts are equal. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

/** A code of `text` that only those who know the key can make, in letters for URLs and cookies. */
export function macOf(key: Uint8Array | string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}
