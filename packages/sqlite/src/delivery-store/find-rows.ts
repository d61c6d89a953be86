// Finds the rows of a page, newest first. A query with a destination, state or reason reads one range of an index for each
// combination of lane, state and `replayed`; other queries read all rows backwards. Filters without an index (source, type,
// times, reason) are checked row by row.

import { DELIVERY_STATES, type ListQuery } from "@postrider/core";
import type { SqliteDatabase, SqlValue } from "../file/database.js";
import { readNumber, readRows } from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { stateCode } from "./codes.js";

export interface Page {
  /** The page has only rows with a number below `before`. */
  readonly before: number;
  /** The page has only rows with a number above `above`. */
  readonly above: number;
  readonly limit: number;
}

export function findRows(database: SqliteDatabase, query: ListQuery, page: Page): readonly number[] {
  if (query.messageId === undefined && (query.states ?? query.reason ?? query.destination) !== undefined) {
    return byStanding(database, query, page);
  }
  return search(database, BACKWARDS, [...filtersOf(query), ...standingOf(query)], page);
}

/** Finds the rows of a page among the deliveries of these messages. */
export function findOfMessages(
  database: SqliteDatabase,
  messages: readonly number[],
  query: ListQuery,
  page: Page,
): readonly number[] {
  const among = { sql: "m.id in (select value from json_each(?))", value: JSON.stringify(messages) };
  return search(database, BY_MESSAGE, [among, ...filtersOf(query), ...standingOf(query)], page);
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
const BY_STANDING = "delivery d indexed by delivery_standing cross join message m on m.id = d.message";

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

function standingOf({ states, destination, notReplayed }: ListQuery): readonly Filter[] {
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
const STANDINGS: readonly (readonly [number, 0 | 1])[] = DELIVERY_STATES.flatMap((state) =>
  state === "waiting" || state === "claimed"
    ? [[stateCode(state), 0]]
    : [
        [stateCode(state), 0],
        [stateCode(state), 1],
      ],
);

function byStanding(database: SqliteDatabase, query: ListQuery, { before, above, limit }: Page): readonly number[] {
  const filters = filtersOf(query);
  const range = ["d.lane = ?", "d.state = ?", "d.replayed = ?"].map((sql) => ({ sql }));
  const search = searchFor(database, BY_STANDING, [...range, ...filters]);
  const values = filters.map(({ value }) => value);

  let newest: readonly number[] = [];
  for (const lane of lanesOf(database, query)) {
    for (const [state, replayed] of standingsOf(query)) {
      // Once the page is full, only rows that are newer than its oldest row matter.
      const floor = newest.length < limit ? above : (newest.at(-1) ?? above);
      const found = search(lane, state, replayed, ...values, floor, before, limit);
      newest = [...newest, ...found].sort((one, other) => other - one).slice(0, limit);
    }
  }
  return newest;
}

function lanesOf(database: SqliteDatabase, { destination }: ListQuery): readonly SqlValue[] {
  if (destination !== undefined) return [toText(destination)];
  return readRows(database.prepare("select lane from lane").all()).map((row) => String(row["lane"]));
}

function standingsOf({ states, reason, notReplayed }: ListQuery): readonly (readonly [number, 0 | 1])[] {
  const wanted = states?.map(stateCode);
  return STANDINGS.filter(
    ([code, replayed]) =>
      (wanted === undefined || wanted.includes(code)) &&
      (reason === undefined || code === stateCode("dead")) &&
      (notReplayed !== true || replayed === 0),
  );
}
