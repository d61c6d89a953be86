// Adds advice for the operator to the error of a file that cannot be opened. Nothing in such a file has been changed:
// operators repair or replace it, never this code.

import { createStoreError, type StoreError } from "@postrider/core";

/** The same error; its message ends with advice if there is any for it. */
export function advise(error: StoreError): StoreError {
  const advice = ADVICE.find(([pattern]) => pattern.test(error.message))?.[1];
  return advice === undefined ? error : createStoreError(error.code, `${error.message}; ${advice}`, error.cause);
}

const RESTORE =
  "nothing in it has been changed: put back a backup, or save what can be read with `sqlite3 FILE .recover`";

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/file is not a database/, "it has not been touched: name another file, or put back the right one"],
  [/malformed|is broken|is not what the schema says|no such (table|column)/, RESTORE],
  [/disk I\/O error/, "nothing that was answered is lost by that: check the disk, then start again"],
  [/disk is full/, "nothing is lost: make room, then start again"],
  [/is locked/, "another process holds it: end that one, or try again"],
  [/readonly/, "it can only be read: the file and its folder must be writable by this process"],
  [/unable to open/, "the files beside it cannot be made or opened: its folder must be writable by this process"],
];
