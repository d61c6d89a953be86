// Adds checksums to the deliveries of a file of version 1, which has no checksums. Damage that such a file already has
// cannot be detected: its bytes are taken as correct.

import { contentSum, deliverySum } from "../rows/checksum.js";
import type { SqliteDatabase } from "../file/database.js";
import { readMaybeBytes, readNumber, readRows, readText } from "../rows/read-row.js";

/** How many rows are in memory at once. */
const PAGE = 500;

const READ = `
  select d.id, d.lane, m.source, m.message_id, m.type, m.body from delivery d join message m on m.id = d.message
  where d.id > ? order by d.id limit ?`;

export function fillChecksums(database: SqliteDatabase): void {
  const read = database.prepare(READ);
  const fill = database.prepare("update delivery set checksum = ? where id = ?");
  let last = 0;
  for (let size = PAGE; size === PAGE;) {
    const rows = readRows(read.all(last, PAGE));
    for (const row of rows) {
      last = readNumber(row, "id");
      const [source, messageId, type] = [readText(row, "source"), readText(row, "message_id"), readText(row, "type")];
      const content = contentSum({ source, messageId, type, body: readMaybeBytes(row, "body") ?? NOTHING });
      fill.run(deliverySum(content, last, readText(row, "lane")), last);
    }
    size = rows.length;
  }
}

const NOTHING = new Uint8Array();
