// Writes the calls to keep and deletes the calls to drop. The number of calls is stored in the file, so the bound holds for
// all processes that share the file.

import { type CallChange, createStoreError, type KeptCall } from "@postrider/core";
import { textsSum } from "../rows/checksum.js";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readSingleRow, toText } from "../rows/columns.js";

/**
 * Returns a function that changes the stored calls, and returns how many there are. It must run in a transaction, since it throws `full` only after it
 * has written.
 */
export function prepareChange(database: SqliteDatabase, maxCalls: number): (change: CallChange) => number {
  const remove = database.prepare("delete from call where message_id = ?");
  const update = database.prepare("update call set type = ?, json = ?, checksum = ? where message_id = ?");
  const insert = database.prepare("insert into call (type, json, checksum, message_id) values (?, ?, ?, ?)");
  const count = database.prepare("update call_total set n = n + ? returning n");

  /** Returns 1 if the call is new, and 0 if its message id was stored already. */
  function keep({ messageId, type, json }: KeptCall): number {
    const values = [type, toText(json), textsSum([messageId, type, json]), toText(messageId)] as const;
    if (Number(update.run(...values).changes) > 0) return 0;
    insert.run(...values);
    return 1;
  }

  return (change) => {
    let more = 0;
    for (const messageId of change.drop) more -= Number(remove.run(toText(messageId)).changes);
    for (const call of change.keep) more += keep(call);
    const total = readNumber(readSingleRow(count.get(more)), "n");
    if (more > 0 && total > maxCalls) throw createStoreError("full", `${String(maxCalls)} calls are kept already`);
    return total;
  };
}
