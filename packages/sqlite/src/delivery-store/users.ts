// The requests to delete or suppress users. A request takes effect at once: its users become suppressed, or are no longer
// suppressed, and if it purges, the deliveries that were stored before it and that it covers are no longer sent (decision: purging).

import {
  type DeletionStore,
  effectsOf,
  type EpochMs,
  type NewDeletion,
  type DeletionId,
  nextStep,
  type Regulation,
  type NoticeCounts,
  type SourceId,
  sourceId,
  deletionId,
  type DeletionPage,
  type DeletionQuery,
  type DeletionRecord,
  epochMs,
} from "@postrider/core";
import type { StoreConnection } from "../file/connection.js";
import type { SqliteDatabase } from "../file/database.js";
import { preparePurge, type Purge } from "./purge.js";
import type { Write } from "./transaction.js";
import {
  readNumber,
  readSingleRow,
  readRow,
  readText,
  type Row,
  readRows,
  readMaybeNumber,
  readMaybeText,
  toText,
} from "../rows/rows.js";
import { SELECT_LAST_ID } from "./codes.js";
import { writeIds, readIds } from "./erasure.js";

export interface DeletionStatements {
  readonly open: Open;
  readonly purge: Purge;
  readonly finish: Finish;
  readonly find: ReturnType<typeof prepareFindDeletion>;
  readonly list: ReturnType<typeof prepareListDeletions>;
  readonly suppressed: ReturnType<typeof prepareListSuppressed>;
}

export function prepareDeletions(database: SqliteDatabase): DeletionStatements {
  return {
    open: prepareOpen(database),
    purge: preparePurge(database),
    finish: prepareFinish(database),
    find: prepareFindDeletion(database),
    list: prepareListDeletions(database),
    suppressed: prepareListSuppressed(database),
  };
}

export function createSqliteDeletions(
  statements: DeletionStatements,
  connection: StoreConnection,
  write: Write,
): DeletionStore {
  return {
    open: (deletion, now) =>
      write(() => {
        statements.open(deletion, now);
      }),
    purge: (slice, now) => write(({ deltas }) => statements.purge(slice, deltas, now)),
    finish: async (id, now) => {
      if (!(await write(() => statements.finish.forgetUsers(id)))) return false;
      if (!(await connection.emptyLog())) return false;
      await write(() => {
        statements.finish.markFinished(id, now);
      });
      return true;
    },
    find: (id) => connection.read(() => statements.find(id)),
    list: (query) => connection.read(() => statements.list(query)),
    suppressed: (query) => connection.read(() => statements.suppressed(query)),
  };
}

type Open = (deletion: NewDeletion, now: EpochMs) => void;

const INSERT = `
  insert into deletion (id, regulation, sources, requested_at, users, last_delivery, is_purged)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;

function prepareOpen(database: SqliteDatabase): Open {
  const lastDelivery = database.prepare(SELECT_LAST_ID);
  const insert = database.prepare(INSERT);
  const insertUsers = database.prepare("insert into deletion_users (deletion, user_ids) values (?, ?)");
  const suppression = {
    begins: database.prepare("insert into suppressed (user_id) values (?) on conflict (user_id) do nothing"),
    ends: database.prepare("delete from suppressed where user_id = ?"),
  };

  return ({ id, regulation, sources, ...deletion }, now) => {
    const effects = effectsOf(regulation);
    const userIds = [...new Set(deletion.userIds)];
    const upTo = readNumber(readSingleRow(lastDelivery.get()), "row");
    const sourcesJson = sources === null ? null : writeIds(sources);
    const isPurged = effects.purges ? 0 : 1;
    const result = insert.run(toText(id), regulation, sourcesJson, now, userIds.length, upTo, isPurged);
    if (Number(result.changes) === 0) return;
    insertUsers.run(Number(result.lastInsertRowid), writeIds(userIds));
    if (effects.suppression === null) return;
    const change = suppression[effects.suppression];
    for (const userId of userIds) change.run(toText(userId));
  };
}

/** Each call is one transaction. */
interface Finish {
  /**
   * Removes the user ids. If another step comes first, or if there is no request with this id, returns false and changes nothing.
   */
  forgetUsers(id: DeletionId): boolean;
  /** Marks the request as finished, unless it is marked already. */
  markFinished(id: DeletionId, now: EpochMs): void;
}

function prepareFinish(database: SqliteDatabase): Finish {
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

/** True if only `finish` is left to do, as for a request that is already finished. */
function isDone(deletion: Row): boolean {
  const step = nextStep({
    regulation: readText(deletion, "regulation") as Regulation,
    isPurged: readNumber(deletion, "is_purged") !== 0,
    notified: readNumber(deletion, "notified"),
    users: readNumber(deletion, "users"),
  });
  return step === "finish";
}

const RECORD_COLUMNS = "row, id, regulation, sources, requested_at, finished_at, users, notified, purged, is_purged";

function prepareFindDeletion(database: SqliteDatabase): (id: DeletionId) => DeletionRecord | undefined {
  const find = database.prepare(`select ${RECORD_COLUMNS} from deletion where id = ?`);
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
export const SELECT_DELETIONS: string = `select ${RECORD_COLUMNS} from deletion where row < ? order by row desc limit ?`;
export const SELECT_UNFINISHED_DELETIONS: string = `
  select ${RECORD_COLUMNS} from deletion indexed by deletion_unfinished
  where row < ? and finished_at is null order by row desc limit ?`;

function prepareListDeletions(database: SqliteDatabase): (query: DeletionQuery) => DeletionPage {
  const selectAll = database.prepare(SELECT_DELETIONS);
  const unfinishedOnly = database.prepare(SELECT_UNFINISHED_DELETIONS);
  const selectRow = database.prepare("select row from deletion where id = ?");
  const show = prepareShow(database);

  /** The page shows the requests below this row. It is 0 for an unknown request, so that the page is empty. */
  function startOf(after: DeletionId | undefined): number {
    if (after === undefined) return Number.MAX_SAFE_INTEGER;
    const row = readRow(selectRow.get(toText(after)));
    return row === undefined ? 0 : readNumber(row, "row");
  }

  return ({ unfinished, after, limit }) => {
    const rows = readRows((unfinished === true ? unfinishedOnly : selectAll).all(startOf(after), limit + 1));
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

function prepareReadNotices(database: SqliteDatabase): (deletion: DeletionId) => readonly NoticeCounts[] {
  const select = database.prepare(
    "select source, stored, delivered, dead from notice where deletion = ? order by source",
  );
  return (deletion) => readRows(select.all(toText(deletion))).map(readNoticeCounts);
}

function readNoticeCounts(row: Row): NoticeCounts {
  return {
    source: sourceId(readText(row, "source")),
    stored: readNumber(row, "stored"),
    delivered: readNumber(row, "delivered"),
    dead: readNumber(row, "dead"),
  };
}

interface SuppressedPage {
  readonly after?: string;
  readonly limit: number;
}

function prepareListSuppressed(database: SqliteDatabase): (page: SuppressedPage) => readonly string[] {
  const list = database.prepare("select user_id from suppressed where user_id > ? order by user_id limit ?");
  return ({ after, limit }) =>
    readRows(list.all(after === undefined ? "" : toText(after), limit)).map((row) => readText(row, "user_id"));
}
