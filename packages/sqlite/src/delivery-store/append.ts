// Adds an attempt that ended after its delivery was settled. The attempt changes no state and starts no window.

import type { Changes } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRow } from "../rows/read-row.js";
import type { NewAttempts } from "./attempts.js";
import { rowOf } from "./codes.js";

export type Append = (late: Changes["append"][number], attempts: NewAttempts) => "appended" | "gone";

export function prepareAppend(database: SqliteDatabase): Append {
  const grow = database.prepare(
    "update delivery set attempt_count = attempt_count + 1 where id = ? returning attempt_count",
  );
  return ({ id, attempt }, attempts) => {
    const row = rowOf(id);
    const grown = row === undefined ? undefined : readRow(grow.get(row));
    if (row === undefined || grown === undefined) return "gone";
    attempts.add(row, [attempt], readNumber(grown, "attempt_count"));
    return "appended";
  };
}
