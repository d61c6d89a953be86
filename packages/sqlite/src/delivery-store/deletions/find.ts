// Shows requests: one in full, or a page of them without their user ids.

import {
  type DeletionId,
  deletionId,
  type DeletionPage,
  type DeletionQuery,
  type DeletionRecord,
  epochMs,
  type Regulation,
  type SourceId,
} from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import {
  readMaybeNumber,
  readMaybeText,
  readNumber,
  readRow,
  readRows,
  readText,
  type Row,
} from "../../rows/read-row.js";
import { toText } from "../../rows/text.js";
import { readIds } from "./id-list.js";
import { prepareReadNotices } from "./notices.js";

const RECORD = "row, id, regulation, sources, requested_at, finished_at, users, notified, purged, is_purged";

export function prepareFindDeletion(database: SqliteDatabase): (id: DeletionId) => DeletionRecord | undefined {
  const find = database.prepare(`select ${RECORD} from deletion where id = ?`);
  const users = database.prepare("select user_ids from deletion_users where deletion = ?");
  const show = prepareShow(database);

  function readUsers(deletion: Row): readonly string[] {
    const row = readRow(users.get(readNumber(deletion, "row")));
    const userIds = row === undefined ? undefined : readMaybeText(row, "user_ids");
    return userIds === undefined ? [] : readIds(userIds);
  }

  return (id) => {
    const row = readRow(find.get(toText(id)));
    return row === undefined ? undefined : { ...show(row), userIds: readUsers(row) };
  };
}

/**
 * Selects the requests below a row, newest first. This query and the next are exported for the test of their query
 * plans.
 */
export const SELECT_DELETIONS: string = `select ${RECORD} from deletion where row < ? order by row desc limit ?`;
export const SELECT_UNFINISHED_DELETIONS: string = `
  select ${RECORD} from deletion indexed by deletion_unfinished
  where row < ? and finished_at is null order by row desc limit ?`;

export function prepareListDeletions(database: SqliteDatabase): (query: DeletionQuery) => DeletionPage {
  const all = database.prepare(SELECT_DELETIONS);
  const unfinishedOnly = database.prepare(SELECT_UNFINISHED_DELETIONS);
  const place = database.prepare("select row from deletion where id = ?");
  const show = prepareShow(database);

  /** The page shows the requests below this row. It is 0 for an unknown request, so that the page is empty. */
  function startOf(after: DeletionId | undefined): number {
    if (after === undefined) return Number.MAX_SAFE_INTEGER;
    const row = readRow(place.get(toText(after)));
    return row === undefined ? 0 : readNumber(row, "row");
  }

  return ({ unfinished, after, limit }) => {
    const rows = readRows((unfinished === true ? unfinishedOnly : all).all(startOf(after), limit + 1));
    return { deletions: rows.slice(0, limit).map(show), more: rows.length > limit };
  };
}

function prepareShow(database: SqliteDatabase): (row: Row) => DeletionRecord {
  const readNotices = prepareReadNotices(database);
  return (row) => {
    const id = deletionId(readText(row, "id"));
    const sources = readMaybeText(row, "sources");
    const finishedAt = readMaybeNumber(row, "finished_at");
    return {
      id,
      number: readNumber(row, "row"),
      regulation: readText(row, "regulation") as Regulation,
      sources: sources === undefined ? null : (readIds(sources) as readonly SourceId[]),
      requestedAt: epochMs(readNumber(row, "requested_at")),
      ...(finishedAt === undefined ? {} : { finishedAt: epochMs(finishedAt) }),
      users: readNumber(row, "users"),
      userIds: [],
      notified: readNumber(row, "notified"),
      isPurged: readNumber(row, "is_purged") === 1,
      purged: readNumber(row, "purged"),
      notices: readNotices(id),
    };
  };
}
