// A connection is fit to hold deliveries, or opening it says why not.

import { createSqliteStore, isUsableVersion, type SqliteDatabase } from "@postrider/sqlite";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newFile, openFile } from "./files.js";

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
    expect(isUsableVersion("3.100.0")).toBe(true);
    expect(isUsableVersion("4.0.0")).toBe(true);
    expect(isUsableVersion("3.9.9")).toBe(false);
    expect(isUsableVersion("3.51")).toBe(false);
  });

  it("sets what durability and the event loop need, on every connection anew", async () => {
    const file = newFile();
    await createSqliteStore({ database: openFile(file) }).close();
    const database = openFile(file);
    const store = createSqliteStore({ database });
    const pragma = (name: string): unknown => Object.values(database.prepare(`pragma ${name}`).get() as object)[0];
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("wal_autocheckpoint")).toBe(4_000);
    expect(pragma("busy_timeout")).toBeLessThanOrEqual(200);
    await store.close();
  });

  it("refuses a database that cannot keep a write-ahead log, such as one in memory", () => {
    const database = openFile(":memory:");
    expect(() => createSqliteStore({ database })).toThrow("cannot keep a write-ahead log");
    database.close();
  });

  it("names what is wrong with a file that is no database", () => {
    const file = newFile();
    writeFileSync(file, "not a database, only a text that is long enough to be one. ".repeat(200));
    expect(() => createSqliteStore({ database: openFile(file) })).toThrow(
      expect.objectContaining({ code: "corrupt", message: "SQLite: file is not a database" }) as Error,
    );
  });
});
