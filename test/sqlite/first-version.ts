// Files as the first version of the schema left them: without checksums.

import { changes, message, NOW } from "./changes.js";
import { newFile, openFile, openStore } from "./files.js";

/** A file with so many waiting deliveries of lane crm. */
export async function firstVersionFile(deliveries: number): Promise<string> {
  const file = newFile();
  const store = openStore(file);
  const accept = Array.from({ length: deliveries }, (_, index) => message(String(index)));
  await store.commit(changes({ accept }), NOW);
  await store.close();
  const database = openFile(file);
  database.exec("alter table delivery drop column checksum; pragma user_version = 1");
  // The store's connection lives until it is collected: what was just changed would stay in the log.
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  return file;
}
