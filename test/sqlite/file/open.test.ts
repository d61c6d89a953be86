// Opening prepares a connection for a store, or reports why that is not possible.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore, isUsableSqliteVersion, type SqliteDatabase } from "@postrider/sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changes, message, NOW } from "../changes.js";
import { newFile, openFile, openStore } from "../files.js";

/** A database whose library claims to be of another version. */
function ofVersion(version: string, database: SqliteDatabase): SqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql.replace("sqlite_version()", `'${version}'`)),
    close: () => database.close(),
  };
}

describe("opening a store", () => {
  it("refuses a library with the bug that corrupts shared files", () => {
    const database = openFile(newFile());
    expect(() => createSqliteStore({ database: ofVersion("3.51.2", database) })).toThrow(
      "SQLite 3.51.2 is too old: at least 3.51.3 is needed",
    );
    expect(database.prepare("select count(*) as tables from sqlite_master").get()).toEqual({ tables: 0 });
    database.close();
  });

  it("takes the first library without it", async () => {
    await createSqliteStore({ database: ofVersion("3.51.3", openFile(newFile())) }).close();
  });

  it("compares versions by number", () => {
    expect(isUsableSqliteVersion("3.100.0")).toBe(true);
    expect(isUsableSqliteVersion("4.0.0")).toBe(true);
    expect(isUsableSqliteVersion("3.9.9")).toBe(false);
    expect(isUsableSqliteVersion("3.51")).toBe(false);
  });

  it("sets the pragmas that durability and the event loop need, on every connection", async () => {
    const file = newFile();
    await createSqliteStore({ database: openFile(file) }).close();
    const database = openFile(file);
    const store = createSqliteStore({ database });
    const pragma = (name: string): unknown => Object.values(database.prepare(`pragma ${name}`).get() as object)[0];
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("wal_autocheckpoint")).toBe(1_000);
    expect(pragma("busy_timeout")).toBeLessThanOrEqual(200);
    await store.close();
  });

  it("refuses a database that cannot keep a write-ahead log, such as one in memory", () => {
    const database = openFile(":memory:");
    expect(() => createSqliteStore({ database })).toThrow("cannot keep a write-ahead log");
    database.close();
  });

  it("reports that a file is no database", () => {
    const file = newFile();
    writeFileSync(file, "not a database, only a text that is long enough to be one. ".repeat(200));
    expect(() => createSqliteStore({ database: openFile(file) })).toThrow(
      expect.objectContaining({
        code: "corrupt",
        message:
          "SQLite: file is not a database; it has not been touched: name another file, or put back the right one",
      }) as Error,
    );
  });

  it("advises what to do about a file that can only be read", () => {
    const file = newFile();
    writeFileSync(file, "");
    const database = new DatabaseSync(file, { readOnly: true });
    expect(() => createSqliteStore({ database })).toThrow(/readonly database; it can only be read: the file and its/);
    database.close();
  });

  it.each([
    ["an index that has lost its entries", emptyIndex, "the file is broken (row 1 missing from index delivery_due)"],
    [
      "a table that lacks a column",
      dropColumn,
      "detail: the file is broken, or of a build from before the first release",
    ],
  ])("refuses a file with %s, and leaves it as it is", async (_, damage, words) => {
    const file = newFile();
    const store = openStore(file);
    await store.commit(changes({ accept: [message("1")] }), NOW);
    await store.close();
    damage(file);
    const before = readFileSync(file);
    expect(refusalOf(file)).toMatchObject({ code: "corrupt", message: expect.stringContaining(words) as string });
    expect(refusalOf(file)).toMatchObject({ message: expect.stringContaining("put back a backup, or save") as string });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

function refusalOf(file: string): unknown {
  const database = openFile(file);
  try {
    return createSqliteStore({ database });
  } catch (error) {
    database.close();
    return error;
  }
}

function dropColumn(file: string): void {
  const database = openFile(file);
  database.exec("alter table delivery drop column detail");
  database.close();
}

/** Makes the page of the index an empty one, as a disk does that loses a write: sets the first five numbers of a leaf. */
function emptyIndex(file: string): void {
  const database = openFile(file);
  const sql = "select rootpage as page from sqlite_schema where name = 'delivery_due'";
  const { page } = database.prepare(sql).get() as { readonly page: number };
  database.close();
  const bytes = readFileSync(file);
  bytes.set([10, 0, 0, 0, 0, 16, 0, 0], (page - 1) * 4_096);
  bytes.fill(0, (page - 1) * 4_096 + 8, page * 4_096);
  writeFileSync(file, bytes);
}
