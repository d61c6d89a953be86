// Reads a page of the kept calls. Throws `corrupt` if a call differs from what was written, since a damaged call could be sent
// with a wrong name or amount.

import {
  CALL_KINDS,
  type CallKind,
  createStoreError,
  type KeptCall,
  type KeptCallPage,
  type KeptCallPageRequest,
} from "@postrider/core";
import { textsSum } from "../rows/checksum.js";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows, readSingleRow, readText, type Row, toText } from "../rows/columns.js";

export function prepareLoad(database: SqliteDatabase): (request: KeptCallPageRequest) => KeptCallPage {
  const select = database.prepare(`
    select message_id, type, json, checksum from call
    where id >= coalesce((select id from call where message_id = ?), 0) order by id limit ?`);
  const total = database.prepare("select n from call_total");
  return ({ from = "", limit }) => {
    const rows = readRows(select.all(toText(from), limit + 1));
    const following = rows[limit];
    return {
      calls: rows.slice(0, limit).map(readCall),
      next: following && readText(following, "message_id"),
      stored: readNumber(readSingleRow(total.get()), "n"),
    };
  };
}

function readCall(row: Row): KeptCall {
  const [messageId, json] = [readText(row, "message_id"), readText(row, "json")];
  const type = readText(row, "type");
  if (!isCallKind(type) || textsSum([messageId, type, json]) !== readNumber(row, "checksum")) {
    throw createStoreError("corrupt", "SQLite: a kept call is not what was written");
  }
  return { messageId, type, json };
}

function isCallKind(type: string): type is CallKind {
  return CALL_KINDS.some((kind) => kind === type);
}
