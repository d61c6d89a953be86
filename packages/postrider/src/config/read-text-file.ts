// Reads a file as text, up to a bound, since a path may name a device without an end.

import { closeSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 65_536;

/** The text of a file; undefined if it cannot be read or is longer than `maxBytes`. */
export function readTextFile(path: string, maxBytes: number): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      return readUpTo(file, maxBytes)?.toString("utf8");
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function readUpTo(file: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes <= maxBytes;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    bytes += read;
  }
  return undefined;
}
