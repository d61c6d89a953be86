// Decides how much of a reply's body is kept, and when enough of it has been read, so that receivers cannot fill the memory. For
// adapters of the HTTP port. Must not know where the chunks come from.

import { MAX_EXCERPT_BYTES, MAX_REPLY_BYTES } from "../limits.js";

/** Counts the bytes of one body and keeps the first 4,096 of them. */
export interface ExcerptCollector {
  add(chunk: Uint8Array): void;
  /** Whether 4,096 bytes have been kept. */
  isFull(): boolean;
  /** Whether 65,536 bytes have been read: the adapter must stop reading. */
  isOver(): boolean;
  /** The kept bytes, as a new array. */
  excerpt(): Uint8Array;
}

/** A collector for one reply. */
export function createExcerptCollector(): ExcerptCollector {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  return {
    add(chunk) {
      readBytes += chunk.length;
      const room = MAX_EXCERPT_BYTES - keptBytes;
      if (room <= 0) return;
      // A copy, since the chunk may be a view into a larger buffer that is reused. `Buffer.slice` would not copy.
      const part = Uint8Array.from(chunk.subarray(0, room));
      kept.push(part);
      keptBytes += part.length;
    },
    isFull: () => keptBytes >= MAX_EXCERPT_BYTES,
    isOver: () => readBytes >= MAX_REPLY_BYTES,
    excerpt: () => join(kept, keptBytes),
  };
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
