// Lists deliveries, newest first, in pages: the row numbers of a page are found first, then only these rows are read in full. A
// cursor holds the row number of the last delivery shown; row numbers are never reused, and a sweep does not change them. A page may
// be short or empty although another page follows.

import { type DeliveryPage, type DeliverySummary, type ListQuery, DELIVERY_STATES } from "@postrider/core";
import type { SqliteDatabase, SqlValue } from "../file/database.js";
import { readNumber, readSingleRow, readRow, readRows, toText } from "../rows/rows.js";
import { SELECT_LAST_ID, stateCode } from "./codes.js";
import { readSummary, SUMMARY_COLUMNS, sourcesOf } from "./reads.js";
import type { Dedupe } from "./dedupe/dedupe.js";

export function prepareList(database: SqliteDatabase, ids: MessageIds): (query: ListQuery) => DeliveryPage {
  const summary = database.prepare(
    `select ${SUMMARY_COLUMNS} from delivery d join message m on m.id = d.message where d.id = ?`,
  );
  const selectLastId = database.prepare(SELECT_LAST_ID);
  const selectFloor = database.prepare("select id from delivery where id < ? order by id desc limit 1 offset ?");

  function show(row: number): DeliverySummary {
    return readSummary(readSingleRow(summary.get(row)));
  }

  /**
   * The row number below which rows are shown. It is 0, so that no row is shown, for a cursor that this store did not
   * make.
   */
  function startOf(after: string | undefined): number {
    if (after === undefined) return Number.MAX_SAFE_INTEGER;
    const row = Number(CURSOR.exec(after)?.[1] ?? 0);
    return row <= readNumber(readSingleRow(selectLastId.get()), "row") ? row : 0;
  }

  /**
   * The row number above which rows are shown. It may be above 0 if a filter has no index, so that a page scans a
   * bounded number of rows.
   */
  function floorOf(
    { messageId, source, type, reason, details, userId, acceptedSince, acceptedBefore }: ListQuery,
    before: number,
  ): number {
    const filters = [messageId, source, type, reason, details, userId, acceptedSince, acceptedBefore];
    if (filters.every((filter) => filter === undefined)) return 0;
    // Rows that are found by the dedupe entries are not scanned.
    const from = messageId === undefined ? before : Math.min(before, ids.completeAfter() + 1);
    const row = readRow(selectFloor.get(from, SCANNED_ROWS));
    return row === undefined ? 0 : readNumber(row, "id");
  }

  return (query) => {
    const { limit } = query;
    const before = startOf(query.after);
    const above = floorOf(query, before);
    const page = { before, above, limit: limit + 1 };
    const rows =
      query.messageId === undefined ? findRows(database, query, page) : findByMessageId({ database, ids }, query, page);
    const pageRows = rows.slice(0, limit);
    const nextBefore = rows.length > limit ? pageRows.at(-1) : above + 1;
    // Below row 1 there are none, so that no page follows.
    const next = nextBefore === undefined || nextBefore === 1 ? {} : { next: `before-${String(nextBefore)}` };
    return { deliveries: pageRows.map(show), ...next };
  };
}

/** Rows scanned for one page, at 5 microseconds each: more rows would block the thread for too long. */
const SCANNED_ROWS = 20_000;

const CURSOR = /^before-([1-9]\d{0,14})$/;

type MessageIds = Pick<Dedupe, "find" | "completeAfter">;

interface MessageIdSearch {
  readonly database: SqliteDatabase;
  readonly ids: MessageIds;
}

function findByMessageId({ database, ids }: MessageIdSearch, query: ListQuery, page: Page): readonly number[] {
  const after = ids.completeAfter();
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

interface Page {
  /** The page has only rows with a number below `before`. */
  readonly before: number;
  /** The page has only rows with a number above `above`. */
  readonly above: number;
  readonly limit: number;
}

export function findRows(database: SqliteDatabase, query: ListQuery, page: Page): readonly number[] {
  if (query.messageId === undefined && (query.states ?? query.reason ?? query.destination) !== undefined) {
    return findByState(database, query, page);
  }
  return search(database, BACKWARDS, [...filtersOf(query), ...stateFiltersOf(query)], page);
}

/** Finds the rows of a page among the deliveries of these messages. */
export function findOfMessages(
  database: SqliteDatabase,
  messages: readonly number[],
  query: ListQuery,
  page: Page,
): readonly number[] {
  const ofMessages = { sql: "m.id in (select value from json_each(?))", value: JSON.stringify(messages) };
  return search(database, BY_MESSAGE, [ofMessages, ...filtersOf(query), ...stateFiltersOf(query)], page);
}

function search(
  database: SqliteDatabase,
  from: string,
  filters: readonly Filter[],
  { above, before, limit }: Page,
): readonly number[] {
  return searchFor(database, from, filters)(...filters.map(({ value }) => value), above, before, limit);
}

// SQLite does not reorder a cross join: it walks the index of the left table, and looks up each row of the right one.
const BACKWARDS = "delivery d cross join message m on m.id = d.message";
const BY_MESSAGE = "message m cross join delivery d on d.message = m.id";
const BY_STATE = "delivery d indexed by delivery_standing cross join message m on m.id = d.message";

interface Filter {
  readonly sql: string;
  readonly value: SqlValue;
}

function filtersOf(query: ListQuery): readonly Filter[] {
  return [
    ...filter("m.message_id = ?", query.messageId),
    ...filter("m.source = ?", query.source),
    ...filter("m.type = ?", query.type),
    ...filter("d.reason = ?", query.reason),
    ...filterAmong("d.detail", query.details?.map(toText)),
    ...filter("? in (m.user_id, m.previous_id)", query.userId),
    ...filter("d.accepted_at >= ?", query.acceptedSince),
    ...filter("d.accepted_at < ?", query.acceptedBefore),
  ];
}

function stateFiltersOf({ states, destination, notReplayed }: ListQuery): readonly Filter[] {
  return [
    ...filter("d.lane = ?", destination),
    ...filterAmong("d.state", states?.map(stateCode)),
    ...filter("d.replayed = ?", notReplayed === true ? 0 : undefined),
  ];
}

function filter(sql: string, value: string | number | undefined): readonly Filter[] {
  if (value === undefined) return [];
  return [{ sql, value: typeof value === "string" ? toText(value) : value }];
}

function filterAmong(column: string, values: readonly (string | number)[] | undefined): readonly Filter[] {
  if (values === undefined) return [];
  return [{ sql: `${column} in (select value from json_each(?))`, value: JSON.stringify(values) }];
}

type Search = (...values: SqlValue[]) => readonly number[];

/** The search takes the values of the filters, then the bounds `above` and `before`, then the limit. */
function searchFor(database: SqliteDatabase, from: string, filters: readonly Pick<Filter, "sql">[]): Search {
  const conditions = [...filters.map(({ sql }) => sql), "d.id > ?", "d.id < ?"].join(" and ");
  const statement = database.prepare(`select d.id from ${from} where ${conditions} order by d.id desc limit ?`);
  return (...values) => readRows(statement.all(...values)).map((row) => readNumber(row, "id"));
}

/** The possible pairs (state, replayed). Only finished deliveries are replayed. */
const STATE_PAIRS: readonly (readonly [number, 0 | 1])[] = DELIVERY_STATES.flatMap((state) =>
  state === "waiting" || state === "claimed"
    ? [[stateCode(state), 0]]
    : [
        [stateCode(state), 0],
        [stateCode(state), 1],
      ],
);

function findByState(database: SqliteDatabase, query: ListQuery, { before, above, limit }: Page): readonly number[] {
  const filters = filtersOf(query);
  const range = ["d.lane = ?", "d.state = ?", "d.replayed = ?"].map((sql) => ({ sql }));
  const searchPair = searchFor(database, BY_STATE, [...range, ...filters]);
  const values = filters.map(({ value }) => value);

  let rows: readonly number[] = [];
  for (const lane of lanesOf(database, query)) {
    for (const [state, replayed] of statePairsOf(query)) {
      // Once the page is full, only rows that are newer than its oldest row matter.
      const floor = rows.length < limit ? above : (rows.at(-1) ?? above);
      const matches = searchPair(lane, state, replayed, ...values, floor, before, limit);
      rows = [...rows, ...matches].sort((first, second) => second - first).slice(0, limit);
    }
  }
  return rows;
}

function lanesOf(database: SqliteDatabase, { destination }: ListQuery): readonly SqlValue[] {
  if (destination !== undefined) return [toText(destination)];
  return readRows(database.prepare("select lane from lane").all()).map((row) => String(row["lane"]));
}

function statePairsOf({ states, reason, notReplayed }: ListQuery): readonly (readonly [number, 0 | 1])[] {
  const codes = states?.map(stateCode);
  return STATE_PAIRS.filter(
    ([code, replayed]) =>
      (codes === undefined || codes.includes(code)) &&
      (reason === undefined || code === stateCode("dead")) &&
      (notReplayed !== true || replayed === 0),
  );
}
