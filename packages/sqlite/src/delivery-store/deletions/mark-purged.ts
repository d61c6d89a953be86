// Marks an unfinished delivery as dead with the reason `purged`.

import type { EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { stateCode } from "../codes.js";

const MARK_PURGED = `
  update delivery set state = ${String(stateCode("dead"))}, reason = 'purged', finished_at = ?, due_at = null, token = null
  where id = ?`;

export function prepareMarkPurged(database: SqliteDatabase): (delivery: number, now: EpochMs) => void {
  const markPurged = database.prepare(MARK_PURGED);
  return (delivery, now) => {
    markPurged.run(now, delivery);
  };
}
