// Decides what is kept of a reply's body and when enough of it was read, so that no receiver decides how much we hold. For
// the adapters of the HTTP port; must not know where the chunks come from.

import { MAX_EXCERPT_BYTES, MAX_REPLY_BYTES } from "../limits.js";

/** Counts the chunks of one body and keeps the first of their bytes. */
export interface ExcerptReader {
  add(chunk: Uint8Array): void;
  /** All that will be kept is here. */
  isFull(): boolean;
  /** More was read than a reply may have. */
  isOver(): boolean;
  /** The first bytes, in an array of their own. */
  excerpt(): Uint8Array;
}

/** A reader for one reply. */
export function createExcerptReader(): ExcerptReader {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  return {
    add(chunk) {
      readBytes += chunk.length;
      const room = MAX_EXCERPT_BYTES - keptBytes;
      if (room <= 0) return;
      // A copy, since the chunk is a view into a buffer that is larger, and not ours. A Buffer's own slice makes none.
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
