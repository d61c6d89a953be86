// Ends a request that has nothing left to do: its user ids are forgotten, and then the log is emptied, which still holds
// the pages as they were before. Only once that is done does the request say that it is finished, so that a crash in
// between leaves it to be finished again.

import { type DeletionId, type EpochMs, nextStep, type Regulation } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readNumber, readRow, readText, type Row } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";

/** Each in a transaction of its own. */
export interface Finish {
  /** False, and nothing changed, where something is left to do, or nobody knows the request. */
  forgetUsers(id: DeletionId): boolean;
  note(id: DeletionId, now: EpochMs): void;
}

export function prepareFinish(database: SqliteDatabase): Finish {
  const find = database.prepare("select row, regulation, users, notified, is_purged from deletion where id = ?");
  const forget = database.prepare("update deletion_users set user_ids = null where deletion = ?");
  const note = database.prepare("update deletion set finished_at = ? where id = ? and finished_at is null");
  return {
    forgetUsers: (id): boolean => {
      const deletion = readRow(find.get(toText(id)));
      if (deletion === undefined || !isDone(deletion)) return false;
      forget.run(readNumber(deletion, "row"));
      return true;
    },
    note: (id, now): void => {
      note.run(now, toText(id));
    },
  };
}

/** One that is finished may be asked again. */
function isDone(deletion: Row): boolean {
  const step = nextStep({
    regulation: readText(deletion, "regulation") as Regulation,
    isPurged: readNumber(deletion, "is_purged") !== 0,
    notified: readNumber(deletion, "notified"),
    users: readNumber(deletion, "users"),
  });
  return step === "finish";
}
