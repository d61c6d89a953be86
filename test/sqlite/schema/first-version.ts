// Makes files as the first version of the schema left them: the data that a present store has written, as far as that
// version has columns for it.

import { migrate } from "../../../packages/sqlite/src/schema/migrate.js";
import { SCHEMA_STEPS } from "../../../packages/sqlite/src/schema/schema.js";
import { changes, message, NOW } from "../changes.js";
import { type Database, newFile, openFile, openStore } from "../files.js";

/** A file with a number of waiting deliveries of lane crm. */
export async function firstVersionFile(deliveries: number): Promise<string> {
  const [today, file] = [newFile(), newFile()];
  const store = openStore(today);
  const accept = Array.from({ length: deliveries }, (_, index) => message(String(index)));
  await store.commit(changes({ accept }), NOW);
  await store.close();
  const database = openFile(file);
  database.exec("pragma journal_mode = wal");
  migrate(database, SCHEMA_STEPS.slice(0, 1));
  database.prepare("attach ? as today").run(today);
  for (const table of namesIn(database, TABLES)) copyRows(database, table);
  const see = database.prepare("insert into seen (message_id, source, seen_at) values (?, 'web', ?)");
  for (const { messageId } of accept) see.run(messageId, NOW);
  database.prepare("update seen_total set n = ?").run(deliveries);
  // The store's connection lives until it is collected: the changes just made would stay in the log.
  database.exec("detach today; pragma wal_checkpoint(truncate)");
  database.close();
  return file;
}

/** The tables of that version that exist still. */
const TABLES = `
  select name from main.sqlite_master
  where type = 'table' and name in (select name from today.sqlite_master)`;

function copyRows(database: Database, table: string): void {
  const columns = namesIn(database, `select name from pragma_table_info('${table}')`).join(", ");
  database.exec(
    `delete from main.${table}; insert into main.${table} (${columns}) select ${columns} from today.${table}`,
  );
}

function namesIn(database: Database, sql: string): readonly string[] {
  return database
    .prepare(sql)
    .all()
    .map((row: { name: string }) => row.name);
}
