// Moves the messages and excerpts of a file of version 3 or earlier into erasable tables, and adds the user ids of each
// message. Messages keep their ids, except for messages whose id is reserved for a filler row: these move to the end,
// and their deliveries point at the new ids.

import type { SqliteDatabase } from "../file/database.js";
import { prepareExcerpts } from "../delivery-store/excerpts.js";
import { MESSAGE_TABLE } from "../delivery-store/messages.js";
import { readMaybeBytes, readNumber, readRows, readText, type Row } from "../rows/read-row.js";
import { readUsers } from "../rows/read-users.js";
import { BLOCK_ROWS, blockOf, prepareAddFillerRow } from "../rows/erasable-table.js";
import { toText } from "../rows/text.js";

/** How many rows are in memory at once. */
const PAGE = 500;

export function fillErasableTables(database: SqliteDatabase): void {
  moveMessages(database);
  moveEndpoints(database);
  database.exec("drop table message_before; drop table endpoint_state_before");
}

const MESSAGES = `
  select id, type, cast(body as text) as body from message_before
  where id > ? and exists (select 1 from delivery where message = message_before.id) order by id limit ?`;

function moveMessages(database: SqliteDatabase): void {
  const read = database.prepare(MESSAGES);
  const follow = database.prepare("update delivery set message = ? where message = ?");
  const put = preparePut(database);
  const late: Row[] = [];
  let last = 0;
  for (let size = PAGE; size === PAGE;) {
    const rows = readRows(read.all(last, PAGE));
    late.push(...rows.filter((row) => isReserved(row)));
    for (const row of rows.filter((one) => !isReserved(one))) put(row, readNumber(row, "id"));
    last = rows.reduce((_, row) => readNumber(row, "id"), last);
    size = rows.length;
  }
  for (const row of late) follow.run(put(row, null), readNumber(row, "id"));
}

function isReserved(row: Row): boolean {
  return readNumber(row, "id") % BLOCK_ROWS === 0;
}

const PUT = `
  insert into message (id, source, message_id, type, user_id, previous_id, body)
  select ?, source, message_id, type, ?, ?, body from message_before where id = ?`;

/**
 * Writes messages into their erasable table, in the order of their ids. A message with the id null gets the next free id.
 */
function preparePut(database: SqliteDatabase): (row: Row, id: number | null) => number {
  const put = database.prepare(PUT);
  const separate = prepareAddFillerRow(database, MESSAGE_TABLE);
  let last: number | undefined;
  return (row, id) => {
    if (id !== null && last !== undefined && isOpen(last) && blockOf(id) > blockOf(last)) separate(endOf(last));
    const { userId, previousId } = usersOf(row);
    last = Number(put.run(id, userId, previousId, readNumber(row, "id")).lastInsertRowid);
    if (!isOpen(last)) separate(endOf(last));
    return last;
  };
}

/** Whether another row fits into the block of the row that was written last. */
function isOpen(last: number): boolean {
  return last + 1 < endOf(last);
}

function endOf(id: number): number {
  return (blockOf(id) + 1) * BLOCK_ROWS;
}

function usersOf(row: Row): { readonly userId: string | null; readonly previousId: string | null } {
  const body = row["body"];
  const { userId, previousId } = readUsers(readText(row, "type"), typeof body === "string" ? body : "");
  return {
    userId: userId === undefined ? null : toText(userId),
    previousId: previousId === undefined ? null : toText(previousId),
  };
}

const ENDPOINTS = `
  select delivery, place, excerpt from endpoint_state_before
  where (delivery, place) > (?, ?) order by delivery, place limit ?`;

function moveEndpoints(database: SqliteDatabase): void {
  const read = database.prepare(ENDPOINTS);
  const put = database.prepare(`
    insert into endpoint_state (delivery, place, endpoint, refused, excerpt)
    select delivery, place, endpoint, refused, ? from endpoint_state_before where delivery = ? and place = ?`);
  const excerpts = prepareExcerpts(database);
  let last: readonly [number, number] = [0, -1];
  for (let size = PAGE; size === PAGE;) {
    const rows = readRows(read.all(...last, PAGE));
    for (const row of rows) {
      last = [readNumber(row, "delivery"), readNumber(row, "place")];
      const bytes = readMaybeBytes(row, "excerpt");
      put.run(bytes === undefined ? null : excerpts.add(...last, bytes), ...last);
    }
    size = rows.length;
  }
}
