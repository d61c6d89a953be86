// Compares what a caller shows with a secret, in a time that depends on neither. Computes no digest, so that strangers cannot have any
// computed, however fast they guess (decision: rights of callers).

import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import { MAX_SECRET_BYTES } from "./limits.js";

/** Whether the bytes are equal. What is longer than `MAX_SECRET_BYTES` is equal only to a secret that is as long. */
export function isSameSecret(shown: Uint8Array, right: Uint8Array): boolean {
  const size = Math.max(MAX_SECRET_BYTES, right.length);
  if (shown.length > size) return false;
  const isSame = timingSafeEqual(padded(shown, size), padded(right, size));
  return isSame && shown.length === right.length;
}

/** As many bytes are copied and compared for a short guess as for a long one. */
function padded(bytes: Uint8Array, size: number): Uint8Array {
  const buffer = Buffer.alloc(size);
  buffer.set(bytes);
  return buffer;
}
