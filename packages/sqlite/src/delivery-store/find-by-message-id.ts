// Finds the rows of a page by message id: recent rows by the dedupe entries, older rows by a scan of a bounded number of
// rows per page.

import type { ListQuery } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows, readText } from "../rows/read-row.js";
import { findOfMessages, findRows, type Page } from "./find-rows.js";
import type { Dedupe } from "./dedupe/dedupe.js";

export type MessageIds = Pick<Dedupe, "find" | "after">;

export interface MessageIdSearch {
  readonly database: SqliteDatabase;
  readonly ids: MessageIds;
}

export function findByMessageId({ database, ids }: MessageIdSearch, query: ListQuery, page: Page): readonly number[] {
  const after = ids.after();
  const recent = findOfMessages(database, messagesOf({ database, ids }, query), query, {
    ...page,
    above: Math.max(page.above, after),
  });
  if (recent.length >= page.limit) return recent;
  const older = { above: page.above, before: Math.min(page.before, after + 1), limit: page.limit - recent.length };
  return [...recent, ...findRows(database, query, older)];
}

/** The rows of messages with this id that were accepted or replayed recently. */
function messagesOf({ database, ids }: MessageIdSearch, { messageId = "", source }: ListQuery): readonly number[] {
  const sources = source === undefined ? sourcesOf(database) : [source];
  const messages = database.prepare("select distinct message from delivery where id > ? and id <= ?");
  return ids
    .find(messageId, sources)
    .flatMap(({ after, upTo }) => readRows(messages.all(after, upTo)).map((row) => readNumber(row, "message")));
}

/** All sources that ever had a message. */
export function sourcesOf(database: SqliteDatabase): readonly string[] {
  return readRows(database.prepare("select source from tally").all()).map((row) => readText(row, "source"));
}
