// Opens the SQLite file, by the driver that is at hand: the one built into Node where its library is new enough, else
// the one that comes with this package. Which library is too old is the store's to say.

import { isUsableVersion, type SqliteDatabase } from "@postrider/sqlite";
import { accessSync, closeSync, constants, openSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

/**
 * Opens the file at `path`, or makes it, for its owner's eyes only. Throws an `Error` that says in words why the path
 * cannot be used.
 */
export function openDatabase(path: string): SqliteDatabase {
  // As an absolute path, nothing in it has a meaning of its own to SQLite, such as ":memory:" or "file:".
  const file = resolve(path);
  touch(file);
  const { DatabaseSync } = loadDriver();
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

interface Driver {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
}

/** Which driver opens the file, by the version of the SQLite library that is built into Node, if any. */
export function chooseDriver(builtIn: string | undefined): "node:sqlite" | "@photostructure/sqlite" {
  return builtIn !== undefined && isUsableVersion(builtIn) ? "node:sqlite" : "@photostructure/sqlite";
}

/** Only the one that is used gets loaded: a built-in that is passed over would print its warning all the same. */
function loadDriver(): Driver {
  if (chooseDriver(process.versions["sqlite"]) === "node:sqlite") {
    // Undefined in the first releases that had it, where it hides behind a flag.
    const builtIn: object | undefined = process.getBuiltinModule("node:sqlite");
    if (isDriver(builtIn)) return builtIn;
  }
  const load = createRequire(import.meta.url);
  const bundled: unknown = load("@photostructure/sqlite");
  if (!isDriver(bundled)) throw new Error("@photostructure/sqlite is not what it should be");
  return bundled;
}

function isDriver(module: unknown): module is Driver {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}
