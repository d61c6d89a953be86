// Finds a program of this machine that may have one of several names.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of these names that is an executable file in a folder of `path`; undefined if there is none. */
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
