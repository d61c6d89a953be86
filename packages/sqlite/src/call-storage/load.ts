// Reads the kept calls. Throws `corrupt` if a call differs from what was written, since a damaged call could be sent
// with a wrong name or amount.

import { CALL_KINDS, type CallKind, createStoreError, type KeptCall } from "@postrider/core";
import { textsSum } from "../rows/checksum.js";
import type { SqliteDatabase } from "../file/database.js";
import { readNumber, readRows, readText, type Row } from "../rows/read-row.js";

export function prepareLoad(database: SqliteDatabase): () => readonly KeptCall[] {
  const select = database.prepare("select message_id, type, json, checksum from call order by id");
  return () => readRows(select.all()).map(readCall);
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
