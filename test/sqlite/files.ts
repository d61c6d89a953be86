// Database files for tests: real ones, each in a separate folder of the test file, which is removed at its end.

import { DatabaseSync } from "@photostructure/sqlite";
import type { DeliveryStore } from "@postrider/core";
import { createSqliteStore } from "@postrider/sqlite";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Database = InstanceType<typeof DatabaseSync>;

/** The path of a file that does not exist yet. */
export function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), "sqlite-")), "store.db");
}

export function openFile(file: string): Database {
  return new DatabaseSync(file);
}

/** A store on a file, by default a new one. */
export function openStore(file: string = newFile()): DeliveryStore {
  return createSqliteStore({ database: openFile(file) });
}
