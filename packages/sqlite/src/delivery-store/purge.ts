// Removes the stored data of the users of a request, slice by slice. The progress is written in the transaction of each
// slice, so that another process, or this one after a crash, continues from there.

import { type DeletionId, destinationId, type EpochMs } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRow, readRows, readText, type Row, toText } from "../rows/rows.js";
import { readState, readCounted, COUNTED_COLUMNS } from "./codes.js";
import { prepareEndpoints } from "./attempts.js";
import type { CounterDeltas } from "./transaction.js";
import { prepareMessages } from "./erasable-tables.js";
import {
  prepareMarkPurged,
  MESSAGE_USERS_COLUMNS,
  covers,
  type ErasureRequest,
  prepareReadErasureRequest,
  readMessageUsers,
} from "./erasure.js";

export interface PurgeSlice {
  readonly id: DeletionId;
  readonly limit: number;
}

export type Purge = (slice: PurgeSlice, deltas: CounterDeltas, now: EpochMs) => { readonly isDone: boolean };

/** Exported for the test of its query plan. */
export const SELECT_PURGE_SLICE: string = `
  select d.id, d.message, ${MESSAGE_USERS_COLUMNS} from delivery d join message m on m.id = d.message
  where d.id > ? and d.id <= ? order by d.id limit ?`;

/** Exported for the test of its query plan. */
export const SELECT_DELIVERIES_OF_MESSAGE: string = `
  select d.id, d.state, d.lane, ${COUNTED_COLUMNS} from delivery d join message m on m.id = d.message where d.message = ?`;

export function preparePurge(database: SqliteDatabase): Purge {
  const selectOpen = database.prepare("select row, looked_at from deletion where id = ? and is_purged = 0");
  const selectSlice = database.prepare(SELECT_PURGE_SLICE);
  const note = database.prepare("update deletion set looked_at = ?, purged = purged + ?, is_purged = ? where row = ?");
  const readRequest = prepareReadErasureRequest(database);
  const purgeMessage = preparePurgeMessage(database);

  /**
   * Purges the messages in these rows that the request covers. Returns the number of deliveries that lost their body. A message
   * that is already purged has no user ids, so the request does not cover it.
   */
  function purgeAll(rows: readonly Row[], request: ErasureRequest, context: PurgeContext): number {
    const purgedMessages = new Set<number>();
    let deliveries = 0;
    for (const row of rows) {
      const message = readNumber(row, "message");
      if (purgedMessages.has(message) || !covers(request, readNumber(row, "id"), readMessageUsers(row))) continue;
      purgedMessages.add(message);
      deliveries += purgeMessage(message, context);
    }
    return deliveries;
  }

  return ({ id, limit }, deltas, now) => {
    const deletion = readRow(selectOpen.get(toText(id)));
    if (deletion === undefined) return { isDone: true };
    const row = readNumber(deletion, "row");
    const request = readRequest(row);
    if (request === undefined) return { isDone: true };
    const startRow = readNumber(deletion, "looked_at");
    const rows = readRows(selectSlice.all(startRow, request.upTo, limit));
    const isDone = rows.length < limit;
    const lastRow = rows.at(-1);
    const deliveries = purgeAll(rows, request, { deltas, now });
    // An empty slice does not move the place from which the next one starts.
    note.run(lastRow === undefined ? startRow : readNumber(lastRow, "id"), deliveries, isDone ? 1 : 0, row);
    return { isDone };
  };
}

interface PurgeContext {
  readonly deltas: CounterDeltas;
  readonly now: EpochMs;
}

function preparePurgeMessage(database: SqliteDatabase): (message: number, context: PurgeContext) => number {
  const deliveries = database.prepare(SELECT_DELIVERIES_OF_MESSAGE);
  const messages = prepareMessages(database);
  const endpoints = prepareEndpoints(database);
  const setReason = database.prepare("update delivery set reason = 'purged' where id = ?");
  const clearSize = database.prepare("update delivery set size = null where id = ?");
  const markPurged = prepareMarkPurged(database);

  function purgeDelivery(row: Row, { deltas, now }: PurgeContext): void {
    const id = readNumber(row, "id");
    const countedFields = readCounted(row, destinationId(readText(row, "lane")));
    const state = readState(row);
    endpoints.removeExcerpts(id);
    clearSize.run(id);
    if (state === "dead") setReason.run(id);
    if (state === "claimed") deltas.removeBody(countedFields);
    if (state !== "waiting") return;
    markPurged(id, now);
    deltas.move(countedFields, state, "dead");
  }

  return (message, context) => {
    const rows = readRows(deliveries.all(message));
    for (const row of rows) purgeDelivery(row, context);
    messages.purge(message);
    return rows.length;
  };
}
