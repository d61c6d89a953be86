// Opens a connection to a SQLite file with the available driver. Makes a new file readable only by its owner, and explains
// why a path cannot be used. It does not know of stores and logs.

import type { SqliteDatabase } from "@postrider/sqlite";
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { loadDriver } from "./load-driver.js";
import { codeOf, createPathError } from "./open-error.js";

/** Opens the file at `path`, or creates it with mode 0600. Throws an `OpenError` if it cannot be used. */
export function openDatabase(path: string): SqliteDatabase {
  // In an absolute path, nothing has a special meaning to SQLite, such as ":memory:" or "file:".
  const file = resolve(path);
  const { DatabaseSync } = loadDriver();
  touch(file);
  return new DatabaseSync(file);
}

/**
 * SQLite would make the file readable for all; the files beside it get the mode of the file. An existing file is not opened
 * here: closing any handle on a file gives up all POSIX locks that the process has on it, those of SQLite as well, and the
 * next process to read it would then delete the log.
 */
function touch(file: string): void {
  try {
    if (!make(file)) requireUsable(file);
  } catch (error) {
    const code = codeOf(error);
    throw createPathError(TROUBLES.get(code) ?? `it cannot be opened (${code})`, error);
  }
}

/** False if it exists already. */
function make(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function requireUsable(file: string): void {
  if (statSync(file).isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  accessSync(file, constants.R_OK | constants.W_OK);
}

const TROUBLES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "its folder does not exist"],
  ["ENOTDIR", "its folder is not a folder"],
  ["EISDIR", "it is a folder, not a file"],
  ["EACCES", "no permission to write there"],
  ["EPERM", "no permission to write there"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
]);
