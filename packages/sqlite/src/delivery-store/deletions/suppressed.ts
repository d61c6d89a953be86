// Checks whether a user of a new message is suppressed, and lists the suppressed users in pages.

import type { NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readNumber, readSingleRow, readRow, readRows, readText } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";

/** Returns, for one transaction, the check whether a user of a message is suppressed. */
export function prepareIsSuppressed(database: SqliteDatabase): () => (message: NewMessage) => boolean {
  const any = database.prepare("select 1 as found from suppressed limit 1");
  const one = database.prepare("select 1 as found from suppressed where user_id = ?");
  return () => {
    if (readRow(any.get()) === undefined) return () => false;
    return ({ userIds = [] }) => userIds.some((userId) => readRow(one.get(toText(userId))) !== undefined);
  };
}

/**
 * Returns, for one transaction, the check whether a request about users was stored after the request with the number
 * `asOf`.
 */
export function prepareIsOutdated(database: SqliteDatabase): () => (message: NewMessage) => boolean {
  const last = database.prepare("select coalesce(max(row), 0) as row from deletion");
  return () => {
    let request: number | undefined;
    return ({ asOf }) => {
      if (asOf === undefined) return false;
      request ??= readNumber(readSingleRow(last.get()), "row");
      return request > asOf;
    };
  };
}

export interface SuppressedPage {
  readonly after?: string;
  readonly limit: number;
}

export function prepareListSuppressed(database: SqliteDatabase): (page: SuppressedPage) => readonly string[] {
  const list = database.prepare("select user_id from suppressed where user_id > ? order by user_id limit ?");
  return ({ after, limit }) =>
    readRows(list.all(after === undefined ? "" : toText(after), limit)).map((row) => readText(row, "user_id"));
}
