// A thread with both stores on the given file; with `roomPages`, there is room for this many more pages.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteAudienceStore, createSqliteStore } from "@postrider/sqlite";
import { serveStores } from "@postrider/thread";
import { parentPort, workerData } from "node:worker_threads";

function open() {
  const database = new DatabaseSync(workerData.file);
  if (workerData.roomPages !== undefined) {
    const pages = Object.values(database.prepare("pragma page_count").get())[0];
    database.exec(`pragma max_page_count = ${String(pages + workerData.roomPages)}`);
  }
  return database;
}

/** Threads write at the same time, unlike stores on one thread: one that finds the file locked has to wait. */
function patient(create) {
  const database = open();
  const store = create({ database });
  database.exec("pragma busy_timeout = 5000");
  return store;
}

await serveStores(
  () => ({ deliveries: patient(createSqliteStore), audiences: patient(createSqliteAudienceStore) }),
  parentPort,
);
