// Lists the sets whose names begin with a prefix. Each call scans all names; there are only a few names per audience.

import type { SqliteDatabase } from "../file/database.js";
import { readRows, readText } from "../rows/columns.js";

export function prepareSets(database: SqliteDatabase): (prefix: string) => readonly string[] {
  const all = database.prepare("select name from member_set");
  return (prefix) =>
    readRows(all.all())
      .map((row) => readText(row, "name"))
      .filter((name) => name.startsWith(prefix))
      .toSorted((one, other) => (one < other ? -1 : 1));
}
