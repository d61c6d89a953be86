// Database files for tests: real ones, in a separate folder that is removed at the end of the test file.

import { DatabaseSync } from "@photostructure/sqlite";
import type { DeliveryStore } from "@postrider/core";
import { createSqliteStore } from "@postrider/sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export type Database = InstanceType<typeof DatabaseSync>;

const folder = mkdtempSync(join(tmpdir(), "postrider-sqlite-"));
let files = 0;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The path of a file that does not exist yet. */
export function newFile(): string {
  files += 1;
  return join(folder, `${String(files)}.db`);
}

export function openFile(file: string): Database {
  return new DatabaseSync(file);
}

/** A store on a file, by default a new one. */
export function openStore(file: string = newFile()): DeliveryStore {
  return createSqliteStore({ database: openFile(file) });
}
