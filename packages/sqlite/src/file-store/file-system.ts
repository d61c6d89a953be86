// Asks the system about a file: its size, whether a path still names the same file, and a sync of its folder, so that files made,
// renamed or removed in it stay so after a power cut.

import { statSync, closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** The size in bytes; 0 for a file that does not exist. */
export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The device and the number of the file, equal for the same file; undefined if there is none. */
export function placeOfFile(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${String(found.dev)}:${String(found.ino)}`;
}

/** Syncs the folder in which `file` is. */
export function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
