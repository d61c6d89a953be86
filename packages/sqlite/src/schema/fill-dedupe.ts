// Moves the message ids of a file of version 7 or earlier into blocks, the oldest first. Such a file does not say which
// deliveries belong to an id, so the entries say that their deliveries are not known.

import { type EpochMs, epochMs } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { SELECT_LAST_ID } from "../delivery-store/codes.js";
import { BLOCK_IDS, prepareIdBlocks } from "../delivery-store/dedupe/blocks.js";
import { createMessageIdHash } from "../delivery-store/dedupe/hash-id.js";
import { readIdHashKey } from "../delivery-store/dedupe/dedupe.js";
import { readNumber, readSingleRow, readRows, readText, type Row } from "../rows/read-row.js";

const READ = `
  select message_id, source, seen_at from seen indexed by seen_by_time
  where (seen_at, message_id, source) > (?, ?, ?) order by seen_at, message_id, source limit ${String(BLOCK_IDS)}`;

export function fillDedupe(database: SqliteDatabase): void {
  const read = database.prepare(READ);
  const put = preparePut(database);
  let last: readonly [number, string, string] = [Number.MIN_SAFE_INTEGER, "", ""];
  for (let size = BLOCK_IDS; size === BLOCK_IDS;) {
    const rows = readRows(read.all(...last));
    size = rows.length;
    const end = rows.at(-1);
    if (end === undefined) break;
    last = [readNumber(end, "seen_at"), String(end["message_id"]), String(end["source"])];
    for (const seenAt of new Set(rows.map((row) => readNumber(row, "seen_at"))))
      put(
        rows.filter((row) => row["seen_at"] === seenAt),
        epochMs(seenAt),
      );
  }
  database.exec("drop table seen; drop table seen_total");
}

/** Writes ids that were accepted at the same time as one block. */
function preparePut(database: SqliteDatabase): (rows: readonly Row[], seenAt: EpochMs) => void {
  const blocks = prepareIdBlocks(database);
  const hashId = createMessageIdHash(readIdHashKey(database));
  const after = readNumber(readSingleRow(database.prepare(SELECT_LAST_ID).get()), "row");
  let last = 0;
  return (rows, seenAt) => {
    const ids = rows.map((row) => {
      return { source: readText(row, "source"), messageId: readText(row, "message_id"), after, upTo: after - 1 };
    });
    last += ids.length;
    const hashes = ids.map(({ source, messageId }) => hashId(source, messageId));
    blocks.add({ last, at: seenAt, hashes, ids });
  };
}
