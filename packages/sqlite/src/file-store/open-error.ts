// The error of a file that cannot be opened: an `Error` with a code for the program and a message for its operator. The
// message names the path as the host gave it.

import type { StoreErrorCode } from "@postrider/core";
import { errorDocs } from "@postrider/core/engine";

/**
 * Why a file cannot be opened or backed up, as the `code` of the error with which `openStores`, or `done` of a backup, rejects. A broken file is not written
 * to. `path-unusable`: the path cannot be used; its folder does not exist, for example, or may not be written to;
 * or the file of a backup exists.
 * `file-missing`: the file is missing or empty, but its log exists. `log-missing`: the log is missing, although the
 * stores were not closed. `log-broken`: the log is damaged, or was found damaged while the stores were open.
 * `driver-missing`: neither Node's own SQLite nor the package `@photostructure/sqlite` can be used. `corrupt`: the file
 * is broken, or is no database. `full`: the disk is full. `busy`: another process has locked the file. `unavailable`:
 * anything else, such as a file of another program or of a newer version.
 */
export type OpenErrorCode =
  StoreErrorCode | "path-unusable" | "file-missing" | "log-missing" | "log-broken" | "driver-missing";

/** Why a file was not opened: a code, and the reason in words as its message. */
export interface OpenError extends Error {
  readonly code: OpenErrorCode;
  /** The address of a page that says what to do. */
  readonly docs: string;
}

export function createOpenError(code: OpenErrorCode, message: string, cause?: unknown): OpenError {
  return Object.assign(new Error(message, { cause }), { code, docs: errorDocs(`file-${code}`) });
}

/** The error for a failure of the file system. Its code is `full` if the disk is full, otherwise `path-unusable`. */
export function createPathError(message: string, cause: unknown): OpenError {
  return createOpenError(codeOf(cause) === "ENOSPC" ? "full" : "path-unusable", message, cause);
}

/** The error that the host gets. It has the code of the thrown error, and the path before the message. */
export function nameOpenError(path: string, thrown: unknown): OpenError {
  return withCode(`cannot use the store ${path}`, thrown);
}

/** The same for a backup of the file at `path`. */
export function nameBackupError(path: string, thrown: unknown): OpenError {
  return withCode(`cannot back up ${path}`, thrown);
}

function withCode(what: string, thrown: unknown): OpenError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = codeOf(thrown);
  return createOpenError(isOpenErrorCode(code) ? code : "unavailable", `${what}: ${message}`, thrown);
}

/** The `code` of an error, as Node and the stores set it; an empty text if there is none. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

const CODES: Readonly<Record<OpenErrorCode, true>> = {
  "path-unusable": true,
  "file-missing": true,
  "log-missing": true,
  "log-broken": true,
  "driver-missing": true,
  busy: true,
  full: true,
  corrupt: true,
  unavailable: true,
};

function isOpenErrorCode(code: string): code is OpenErrorCode {
  return Object.hasOwn(CODES, code);
}
