// Has an unfinished delivery die because it has come out of reach.

import type { EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { stateCode } from "../codes.js";

const BURY = `
  update delivery set state = ${String(stateCode("dead"))}, reason = 'purged', finished_at = ?, due_at = null, token = null
  where id = ?`;

export function prepareBury(database: SqliteDatabase): (delivery: number, now: EpochMs) => void {
  const bury = database.prepare(BURY);
  return (delivery, now) => {
    bury.run(now, delivery);
  };
}
