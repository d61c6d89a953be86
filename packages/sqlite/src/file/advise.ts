// Says to an operator what to do about a file that cannot be opened. Whatever is wrong with it, nothing of it has been
// changed: what is broken is put back or recovered by people, never by us.

import type { StoreError } from "@postrider/core";
import { storeError } from "./name-error.js";

/** The same error, its message followed by what to do, where that is known. */
export function advise(error: StoreError): StoreError {
  const advice = ADVICE.find(([pattern]) => pattern.test(error.message))?.[1];
  return advice === undefined ? error : storeError(error.code, `${error.message}; ${advice}`, error.cause);
}

const RESTORE =
  "nothing in it has been changed: put back a backup, or save what can be read with `sqlite3 FILE .recover`";

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/file is not a database/, "it has not been touched: name another file, or put back the right one"],
  [/malformed|is broken|is not what the schema says|no such (table|column)/, RESTORE],
  [/disk I\/O error/, "nothing that was answered is lost by that: look after the disk, then start again"],
  [/disk is full/, "nothing is lost: make room, then start again"],
  [/is locked/, "another process holds it: end that one, or try again"],
  [/readonly/, "it can only be read: the file and its folder must be ours to write"],
  [/unable to open/, "the files beside it cannot be made or opened: its folder must be ours to write"],
];
