// Reads the size of a file that may be absent.

import { statSync } from "node:fs";

/** The size in bytes; 0 for a file that does not exist. */
export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
