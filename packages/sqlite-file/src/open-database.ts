// Opens the SQLite file by the driver that is at hand. Sees to it that the file is made for its owner alone, and that a path
// which cannot be used is told in words.

import type { SqliteDatabase } from "@postrider/sqlite";
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { loadDriver } from "./load-driver.js";

/**
 * Opens the file at `path`, or makes it, for its owner's eyes only. Throws an `Error` that says in words why the path
 * cannot be used.
 */
export function openDatabase(path: string): SqliteDatabase {
  // As an absolute path, nothing in it has a meaning of its own to SQLite, such as ":memory:" or "file:".
  const file = resolve(path);
  const { DatabaseSync } = loadDriver();
  touch(file);
  return new DatabaseSync(file);
}

/**
 * SQLite would make the file readable for all; beside it, it makes its other files with the rights of the first. One that is
 * there is only looked at: whoever closes a file gives up all locks that his process has on it, those of SQLite as well, and
 * the next to read it would take the log for his own and delete it.
 */
function touch(file: string): void {
  try {
    if (!make(file)) requireUsable(file);
  } catch (error) {
    const code = codeOf(error);
    throw new Error(TROUBLES.get(code) ?? `it cannot be opened (${code})`, { cause: error });
  }
}

/** False where it is there already. */
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

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
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
