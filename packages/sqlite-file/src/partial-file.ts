// A file that is being written in a folder apart, and gets its own name only once it is complete. Never replaces a file.
// The folder is there so that the file can be taken away from a writer: where no folder is, SQLite cannot make the file again.

import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathProblemOf } from "./open-database.js";
import { codeOf, createOpenError, createPathError } from "./open-error.js";
import { syncFolderOf } from "./sync-folder.js";

export interface PartialFile {
  /** Where to write: an empty file, readable only by its owner. */
  readonly path: string;
  /** Gives the file its name, and syncs the folder. Throws an `OpenError` if another file has got that name. */
  publish(): void;
  /** Removes the folder and all in it, also while it is being written: nothing comes back. Leaves a file that has its name. */
  remove(): void;
}

/** How often a removal starts again because the writer has made a file meanwhile. */
const REMOVAL_RETRIES = 10;

let made = 0;

/** Creates the partial file of `target`, an absolute path. Throws an `OpenError` if `target` exists or cannot be made. */
export function createPartialFile(target: string): PartialFile {
  // Two backups of one process differ in the number. The folder of an ended process with the same id is replaced.
  const folder = `${target}.${String(process.pid)}-${String((made += 1))}.partial`;
  const path = join(folder, "copy");
  const remove = (): void =>
    rmSync(folder, { recursive: true, force: true, maxRetries: REMOVAL_RETRIES, retryDelay: 1 });
  if (existsSync(target)) throw takenError(target);
  try {
    remove();
    mkdirSync(folder, { mode: 0o700 });
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    throw createPathError(`${target} cannot be made: ${pathProblemOf(error)}`, error);
  }
  return {
    path,
    publish: () => {
      publish(path, target);
      syncFolderOf(target);
    },
    remove,
  };
}

/** A link fails if the name is taken, while a rename would replace that file. */
function publish(path: string, target: string): void {
  try {
    linkSync(path, target);
    rmSync(path);
  } catch (error) {
    if (existsSync(target)) throw takenError(target);
    if (!NO_LINKS.has(codeOf(error))) throw error;
    renameSync(path, target);
  }
}

/** The codes of file systems that have no links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function takenError(target: string): Error {
  return createOpenError("path-unusable", `${target} exists already, and is not replaced: name another file`);
}
