// Holds the two erasable tables of a delivery store: messages and excerpts of receivers' answers, which may hold personal data.
// An erasable table leaves no copies of an erased row (decision: erasable tables): rows are only added at the end, are overwritten
// in place, and are removed in blocks that hold no data any more.

import type { NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { toTextOrNull, toText, readNumber, readSingleRow, readRows } from "../rows/rows.js";

interface Messages {
  /** Returns the row of the message. */
  add(message: NewMessage): number;
  /** Removes the body, the users and the `traceparent` of a message; its deliveries stay. */
  purge(row: number): void;
  /** Wipes those of the messages that no delivery points at any more. */
  release(rows: Iterable<number>): void;
}

const MESSAGE_TABLE: ErasableTablePlan = {
  table: "message",
  neededFrom: "message",
  isNeeded: "wiped is not 2",
  blank: "insert into message (id, source, message_id, type, wiped, body) values (?, '', '', '', 2, zeroblob(?))",
  blankBytes: 13,
};

const COLUMNS = "source, message_id, type, user_id, previous_id, deletion, wiped, body, traceparent";
const WIPE = "update message set user_id = null, previous_id = null, body = null, traceparent = null";

const NEW_COLUMNS = "source, message_id, type, user_id, previous_id, deletion, body";
const ADD = `insert into message (${NEW_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)`;
/** Few messages have a `traceparent`; the others do not pay for its column. */
const ADD_TRACED = `insert into message (${NEW_COLUMNS}, traceparent) values (?, ?, ?, ?, ?, ?, ?, ?)`;

export function prepareMessages(database: SqliteDatabase): Messages {
  const insert = database.prepare(ADD);
  const insertTraced = database.prepare(ADD_TRACED);
  const purge = database.prepare(`${WIPE}, wiped = 1 where id = ?`);
  const release = database.prepare(
    `${WIPE}, wiped = 2 where id = ? and not exists (select 1 from delivery where message = message.id)`,
  );
  const table = prepareMessageTable(database);

  return {
    add: ({ source, messageId, type, userIds = [], deletion, body, traceparent }): number => {
      const [userId, previousId] = userIds;
      const userColumns = [toTextOrNull(userId), toTextOrNull(previousId), toTextOrNull(deletion)] as const;
      const values = [toText(source), toText(messageId), type, ...userColumns, body] as const;
      const result =
        traceparent === undefined ? insert.run(...values) : insertTraced.run(...values, toText(traceparent));
      const row = Number(result.lastInsertRowid);
      table.rowAdded(row);
      return row;
    },
    purge: (row): void => {
      purge.run(row);
    },
    release: (rows): void => {
      table.compact([...rows].filter((row) => Number(release.run(row).changes) > 0));
    },
  };
}

/** If a message moves, its deliveries are changed to point at the new row. */
function prepareMessageTable(database: SqliteDatabase): ErasableTable {
  const copy = database.prepare(`insert into message (${COLUMNS}) select ${COLUMNS} from message where id = ?`);
  const repoint = database.prepare("update delivery set message = ? where message = ?");
  const wipe = database.prepare(`${WIPE}, wiped = 2 where id = ?`);
  return prepareErasableTable(database, MESSAGE_TABLE, (id) => {
    const newId = Number(copy.run(id).lastInsertRowid);
    repoint.run(newId, id);
    wipe.run(id);
    return newId;
  });
}

interface Excerpts {
  /** Adds the excerpt of an endpoint of a delivery; returns its row. */
  add(delivery: number, place: number, bytes: Uint8Array): number;
  /** Overwrites the excerpts in these rows. */
  wipe(rows: readonly number[]): void;
}

const EXCERPT_TABLE: ErasableTablePlan = {
  table: "excerpt",
  neededFrom: "excerpt indexed by excerpt_kept",
  isNeeded: "bytes is not null",
  blank: "insert into excerpt (id, delivery, place, bytes) values (?, 0, 0, zeroblob(?))",
  blankBytes: 6,
};

export function prepareExcerpts(database: SqliteDatabase): Excerpts {
  const insert = database.prepare("insert into excerpt (delivery, place, bytes) values (?, ?, ?)");
  const wipe = database.prepare("update excerpt set bytes = null where id = ?");
  const table = prepareExcerptTable(database);
  return {
    add: (delivery, place, bytes): number => {
      const row = Number(insert.run(delivery, place, bytes).lastInsertRowid);
      table.rowAdded(row);
      return row;
    },
    wipe: (rows): void => {
      for (const row of rows) wipe.run(row);
      table.compact(rows);
    },
  };
}

/** If an excerpt moves, its endpoint state is changed to refer to the new row. */
function prepareExcerptTable(database: SqliteDatabase): ErasableTable {
  const copy = database.prepare(
    "insert into excerpt (delivery, place, bytes) select delivery, place, bytes from excerpt where id = ?",
  );
  const repoint = database.prepare(`
    update endpoint_state set excerpt = ?1
    where (delivery, place) = (select delivery, place from excerpt where id = ?2) and excerpt = ?2`);
  const wipe = database.prepare("update excerpt set bytes = null where id = ?");
  return prepareErasableTable(database, EXCERPT_TABLE, (id) => {
    const newId = Number(copy.run(id).lastInsertRowid);
    repoint.run(newId, id);
    wipe.run(id);
    return newId;
  });
}

interface ErasableTable {
  /** To be called after each row that was added: adds the filler row after the last row of a block. */
  rowAdded(id: number): void;
  /**
   * To be called after rows were wiped: removes each of their blocks in which at most a quarter of the rows are still
   * needed; the newest block only if none is.
   */
  compact(wiped: Iterable<number>): void;
}

interface ErasableTablePlan {
  readonly table: string;
  /** The table, with the index that finds the needed rows, if there is one. */
  readonly neededFrom: string;
  /** The condition, as SQL, of a row that is still needed. */
  readonly isNeeded: string;
  /** The SQL that inserts a filler row: its id, and its length in bytes. */
  readonly blank: string;
  /** The bytes of payload that a filler row has in addition to that length. */
  readonly blankBytes: number;
}

/** Copies a row to the end of the table and wipes the old row; returns the new id. */
type MoveRow = (id: number) => number;

/** The number of ids of a block. The id of its filler row, which comes last, is a multiple of this. */
export const BLOCK_ROWS = 256;
/** A block with at most this many needed rows is removed, and its needed rows move to the end. */
const MAX_MOVED: number = BLOCK_ROWS / 4;
/** Bytes of a leaf page that cannot be payload of a row that fits into the page (sqlite.org/fileformat2.html). */
const PAGE_OVERHEAD = 35;

/**
 * If SQLite removes a row, it may move the other rows of the page, and copies of their bytes stay in the page:
 * `secure_delete` does not cover these copies. So whole blocks are removed, and the rows of such a block that are still
 * needed move to the end. A filler row of one page is between two blocks, so that blocks share no page.
 */
function prepareErasableTable(database: SqliteDatabase, plan: ErasableTablePlan, move: MoveRow): ErasableTable {
  const { table, neededFrom, isNeeded } = plan;
  const addFillerRow = prepareAddFillerRow(database, plan);
  const selectLastId = database.prepare(`select coalesce(max(id), 0) as id from ${table}`);
  const selectNeeded = database.prepare(`
    select id from ${neededFrom} where id > ? and id < ? and ${isNeeded} order by id limit ${String(MAX_MOVED + 1)}`);
  const remove = database.prepare(`delete from ${table} where id > ? and id <= ?`);

  function rowAdded(id: number): void {
    if ((id + 1) % BLOCK_ROWS === 0) addFillerRow(id + 1);
  }

  function compactBlock(block: number, newest: number): void {
    const [first, end] = [block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS];
    const neededIds = readRows(selectNeeded.all(first, end)).map((row) => readNumber(row, "id"));
    if (neededIds.length > (block === newest ? 0 : MAX_MOVED)) return;
    for (const id of neededIds) rowAdded(move(id));
    remove.run(first, end);
  }

  return {
    rowAdded,
    compact: (wiped): void => {
      const blocks = new Set(Array.from(wiped, blockOf));
      if (blocks.size === 0) return;
      const newest = blockOf(readNumber(readSingleRow(selectLastId.get()), "id"));
      for (const block of blocks) compactBlock(block, newest);
    },
  };
}

function blockOf(id: number): number {
  return Math.floor(id / BLOCK_ROWS);
}

/**
 * Returns a function that adds the filler row between two blocks. The row fills a page, so no other row fits into that
 * page.
 */
function prepareAddFillerRow(database: SqliteDatabase, { blank, blankBytes }: ErasableTablePlan): (id: number) => void {
  const insert = database.prepare(blank);
  const pageSize = readNumber(readSingleRow(database.prepare("pragma page_size").get()), "page_size");
  return (id) => {
    insert.run(id, pageSize - PAGE_OVERHEAD - blankBytes);
  };
}
