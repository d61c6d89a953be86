// Who is suppressed: asked of each message that comes in, unless nobody is, and shown in pages.

import type { NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import { readNumber, readOnly, readRow, readRows, readText } from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";

/** Answers, for one transaction, who asks of each message whether one of its users is suppressed. */
export function prepareIsSuppressed(database: SqliteDatabase): () => (message: NewMessage) => boolean {
  const any = database.prepare("select 1 as found from suppressed limit 1");
  const one = database.prepare("select 1 as found from suppressed where user_id = ?");
  return () => {
    if (readRow(any.get()) === undefined) return () => false;
    return ({ userIds = [] }) => userIds.some((userId) => readRow(one.get(toText(userId))) !== undefined);
  };
}

/** Answers, for one transaction, who asks of each message whether there is a later request than it knows of. */
export function prepareIsOutdated(database: SqliteDatabase): () => (message: NewMessage) => boolean {
  const last = database.prepare("select coalesce(max(row), 0) as row from deletion");
  return () => {
    let request: number | undefined;
    return ({ asOf }) => {
      if (asOf === undefined) return false;
      request ??= readNumber(readOnly(last.get()), "row");
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
