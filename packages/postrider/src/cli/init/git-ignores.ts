// Finds out whether git would commit a store. Writes no file: the operator is shown the line that is missing.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTextFile } from "../../config/read-text-file.js";

/** The files of the store of a first config: the file itself, and its log and index. */
export const STORE_PATTERN = "postrider.db*";

const MAX_BYTES = 1_048_576;
/** Lines that leave out the store. */
const IGNORING = /^(?:\/?postrider\.db\*|\*\.db\*)\s*$/m;

/** Whether a folder is in a git repository, and has no line that leaves out the store. */
export function needsIgnoreLine(folder: string): boolean {
  if (!isInRepository(resolve(folder))) return false;
  const read = readTextFile(join(folder, ".gitignore"), MAX_BYTES);
  return read.kind === "refused" || !IGNORING.test(read.text);
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}
