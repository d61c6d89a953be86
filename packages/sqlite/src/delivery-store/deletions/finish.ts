// Finishes a request whose next step is `finish`. After its user ids are removed, `create-deletions.ts` of this package
// empties SQLite's write-ahead log, which still holds the old pages. The request is marked as finished last: if a crash comes
// before the mark, finishing starts over.

import { type DeletionId, type EpochMs, nextStep, type Regulation } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readNumber, readRow, readText, type Row } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";

/** Each call is one transaction. */
export interface Finish {
  /**
   * Removes the user ids. If another step comes first, or if there is no request with this id, returns false and changes nothing.
   */
  forgetUsers(id: DeletionId): boolean;
  /** Marks the request as finished, unless it is marked already. */
  markFinished(id: DeletionId, now: EpochMs): void;
}

export function prepareFinish(database: SqliteDatabase): Finish {
  const find = database.prepare("select row, regulation, users, notified, is_purged from deletion where id = ?");
  const forget = database.prepare("update deletion_users set user_ids = null where deletion = ?");
  const markFinished = database.prepare("update deletion set finished_at = ? where id = ? and finished_at is null");
  return {
    forgetUsers: (id): boolean => {
      const deletion = readRow(find.get(toText(id)));
      if (deletion === undefined || !isDone(deletion)) return false;
      forget.run(readNumber(deletion, "row"));
      return true;
    },
    markFinished: (id, now): void => {
      markFinished.run(now, toText(id));
    },
  };
}

/** Whether only `finish` is left; also true for a request that is already finished. */
function isDone(deletion: Row): boolean {
  const step = nextStep({
    regulation: readText(deletion, "regulation") as Regulation,
    isPurged: readNumber(deletion, "is_purged") !== 0,
    notified: readNumber(deletion, "notified"),
    users: readNumber(deletion, "users"),
  });
  return step === "finish";
}
