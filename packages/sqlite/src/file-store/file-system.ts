// Reads the size and the identity of a file, and syncs its folder, so that files made, renamed or removed in it stay so after a power
// cut.

import { statSync, closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** The size in bytes; 0 for a file that does not exist. */
export function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The device and the number of the file, by which a path is seen to name the same file still; undefined if there is none. */
export function identityOfFile(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${String(stats.dev)}:${String(stats.ino)}`;
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
