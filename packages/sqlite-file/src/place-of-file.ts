// Tells whether a path still names the same file.

import { statSync } from "node:fs";

/** The device and the number of the file, equal for the same file; undefined if there is none. */
export function placeOfFile(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${String(found.dev)}:${String(found.ino)}`;
}
