// Where a program of this machine is that goes by one of several names.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of these names that a folder of `path` has something to run under; undefined if none does. */
export function findProgram(names: readonly string[], path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
