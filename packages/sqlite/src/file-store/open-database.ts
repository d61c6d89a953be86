// Opens a connection to a SQLite file with the available driver. Makes a new file readable only by its owner, and explains
// why a path cannot be used. It does not know of stores and logs.

import type { SqliteDatabase } from "../index.js";
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { loadDriver } from "./load-driver.js";
import { codeOf, createPathError } from "./open-error.js";

/** Opens the file at `path`, or creates it with mode 0600. Throws an `OpenError` if the file cannot be used. */
export function openDatabase(path: string): SqliteDatabase {
  // SQLite treats ":memory:" and "file:" specially, but never an absolute path.
  const file = resolve(path);
  const { DatabaseSync } = loadDriver();
  createOrCheck(file);
  return new DatabaseSync(file);
}

/**
 * Creates the file with mode 0600, or checks an existing one. SQLite would make the file readable for all users. The
 * log gets the mode of the file. An existing file is not opened for the check: closing any handle on a file releases
 * all POSIX locks that this process has on it, also those of SQLite. Another process could then delete the log.
 */
function createOrCheck(file: string): void {
  translatePathError(() => {
    if (!createFile(file)) requireUsable(file);
  });
}

/** Runs `work`; an error of the file system becomes an `OpenError` that says why a path cannot be used. */
export function translatePathError(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw createPathError(pathProblemOf(error), error);
  }
}

/** Creates the file with mode 0600; returns false if it exists already. */
function createFile(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Throws an error of the file system if the file cannot be read and written. */
export function requireUsable(file: string): void {
  if (statSync(file).isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  accessSync(file, constants.R_OK | constants.W_OK);
}

/** What is wrong with a path, in words for an operator. */
export function pathProblemOf(error: unknown): string {
  const code = codeOf(error);
  return PROBLEM_BY_CODE.get(code) ?? `it cannot be opened (${code})`;
}

const PROBLEM_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "its folder does not exist"],
  ["ENOTDIR", "a part of its path is a file, not a folder"],
  ["EISDIR", "it is a folder, not a file"],
  ["EACCES", "no permission to read or write it, or to write in its folder"],
  ["EPERM", "no permission to read or write it, or to write in its folder"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
]);
