// Codes that only those who know a key can make, and whether a text is the right one.

import { isSameSecret } from "@postrider/http";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";

/** Whether two texts are equal, in a time that shows nothing of the right one. */
export function isSameText(shown: string, right: string): boolean {
  return isSameSecret(Buffer.from(shown, "utf8"), Buffer.from(right, "utf8"));
}

/** A code of `text` that only those who know the key can make, in letters for URLs and cookies. */
export function macOf(key: Uint8Array | string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
