// A file that is being written under another name, and gets its own name only once it is complete. Never replaces a file.

import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { pathProblemOf } from "./open-database.js";
import { codeOf, createOpenError, createPathError } from "./open-error.js";
import { syncFolderOf } from "./sync-folder.js";

export interface PartialFile {
  /** Where to write: an empty file, readable only by its owner. */
  readonly path: string;
  /** Gives the file its name, and syncs the folder. Throws an `OpenError` if another file has got that name. */
  publish(): void;
  /** Removes the file, unless it has got its name. */
  remove(): void;
}

let made = 0;

/** Creates the partial file of `target`, an absolute path. Throws an `OpenError` if `target` exists or cannot be made. */
export function createPartialFile(target: string): PartialFile {
  // Two backups of one process differ in the number. A file of an ended process with the same id is replaced.
  const path = `${target}.${String(process.pid)}-${String((made += 1))}.partial`;
  if (existsSync(target)) throw takenError(target);
  try {
    rmSync(path, { force: true });
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
    // SQLite keeps a journal beside a copy that it writes.
    remove: () => [path, `${path}-journal`].forEach((name) => rmSync(name, { force: true })),
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
