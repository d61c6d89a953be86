// Syncs a folder, so that files made, renamed or removed in it stay so after a power cut.

import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Syncs the folder in which `file` is. */
export function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
