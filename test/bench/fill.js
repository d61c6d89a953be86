// Files with waiting deliveries, made through the store. Each is made once, and copied for each run.

import { DatabaseSync } from "@photostructure/sqlite";
import { encodeMessage, mapCall } from "@postrider/core/engine";
import { createSqliteStore } from "@postrider/sqlite";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleCall } from "./calls.js";

const ROWS_OF_A_COMMIT = 10_000;

/** A file in a separate folder: `{ file, remove() }`. `placeOf(index)` gives the source and the destination. */
export async function fillFile(deliveries, placeOf) {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-fill-"));
  const file = join(folder, "postrider.db");
  const store = createSqliteStore({ database: new DatabaseSync(file) });
  const at = Date.now();
  const lease = { token: "fill", leaseMs: 30_000 };
  for (let made = 0; made < deliveries; made += ROWS_OF_A_COMMIT) {
    const rows = Math.min(ROWS_OF_A_COMMIT, deliveries - made);
    const accept = Array.from({ length: rows }, (_, index) => newMessage(placeOf(made + index), at));
    await store.commit({ accept, replay: [], settle: [], append: [], tally: [], lease }, at);
  }
  // As one file, without a log.
  await store.close();
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function newMessage({ source, destination }, at) {
  const messageId = randomBytes(16).toString("hex");
  const call = { ...sampleCall(), timestamp: at };
  const body = encodeMessage(mapCall({ call, messageId, timestamp: at, originalTimestamp: at, receivedAt: at }));
  const deliveries = [{ destination, start: { kind: "waiting", dueAt: at } }];
  return { source, messageId, type: "track", receivedAt: at, userIds: [call.userId], body, deliveries, filtered: [] };
}
