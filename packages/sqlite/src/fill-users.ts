// Says of every stored message whom it is about: files of the second version did not know that. It stands in the bodies.
// A body that cannot be read is about nobody that can be told; its checksum sees to it that it is not sent.

import type { SqliteDatabase } from "./database.js";
import { readNumber, readRows, readText, type Row } from "./read-row.js";
import { toText } from "./text.js";

/** Rows held in memory at a time. */
const PAGE = 500;

export function fillUsers(database: SqliteDatabase): void {
  const read = database.prepare(
    "select id, type, cast(body as text) as body from message where id > ? order by id limit ?",
  );
  const fill = database.prepare("update message set user_id = ?, previous_id = ? where id = ?");
  let last = 0;
  for (let size = PAGE; size === PAGE;) {
    const rows = readRows(read.all(last, PAGE));
    for (const row of rows) fill.run(...usersOf(row), readNumber(row, "id"));
    last = rows.reduce((_, row) => readNumber(row, "id"), last);
    size = rows.length;
  }
}

/** The user, and of an alias the previous one. */
function usersOf(row: Row): readonly [string | null, string | null] {
  const message = parse(row["body"]);
  if (readText(row, "type") !== "alias") return [textAt(message, "userId"), null];
  return [textAt(message, "User ID"), textAt(message, "Previous ID")];
}

function parse(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

function textAt(message: unknown, key: string): string | null {
  if (typeof message !== "object" || message === null || !Object.hasOwn(message, key)) return null;
  const value = (message as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" ? toText(value) : null;
}
