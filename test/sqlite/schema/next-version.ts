// A made-up next version of the schema: files of this version are migrated to it, and the migration is killed.

import { expect } from "vitest";
import { migrate } from "../../../packages/sqlite/src/schema/migrate.js";
import { SCHEMA_STEPS } from "../../../packages/sqlite/src/schema/schema.js";
import { changes, message, NOW } from "../changes.js";
import { newFile, openFile, openStore } from "../files.js";

/** Writes each delivery, so that a migration has many pages to write. */
export const NEXT_STEP = `
  alter table delivery add column region text;
  update delivery set region = lane || id;
  create index delivery_region on delivery (region);`;

/** A file of this version with a number of waiting deliveries of lane crm. */
export async function fileOfThisVersion(deliveries: number): Promise<string> {
  const file = newFile();
  const store = openStore(file);
  const accept = Array.from({ length: deliveries }, (_, index) => message(String(index)));
  await store.commit(changes({ accept }), NOW);
  await store.close();
  return file;
}

/** The steps that a file has run, and whether it is sound. */
export function lookAt(file: string): string {
  const database = openFile(file);
  const row = database.prepare(LOOK).get() as { readonly look: string };
  database.close();
  return row.look;
}

const LOOK = `select (user_version - ${String(SCHEMA_STEPS.length)}) || ' further steps, ' ||
    (select count(*) from pragma_table_info('delivery') where name = 'region') || ' further columns, ' || integrity_check as look
  from pragma_user_version, pragma_integrity_check`;

export const AS_BEFORE = "0 further steps, 0 further columns, ok";
export const MIGRATED = "1 further steps, 1 further columns, ok";

/** Migrates a file, or goes on where its migration was killed, and finds each delivery in it. */
export function expectToMigrate(file: string, deliveries: number): void {
  const database = openFile(file);
  migrate(database, [...SCHEMA_STEPS, NEXT_STEP]);
  const whole = database.prepare(`
    select count(*) as n from delivery d join message m on m.id = d.message
    where d.region = 'crm' || d.id and cast(m.body as text) = '{"messageId":"' || (d.id - 1) || '"}'`);
  expect(whole.get()).toEqual({ n: deliveries });
  database.close();
  expect(lookAt(file)).toBe(MIGRATED);
}
