// A file is migrated to the schema of this version in whole steps; a file of another program is not changed.

import { createSqliteAudienceStore, createSqliteStore } from "@postrider/sqlite";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { migrate } from "../../../packages/sqlite/src/schema/migrate.js";
import { SCHEMA_STEPS } from "../../../packages/sqlite/src/schema/schema.js";
import { type Database, newFile, openFile, openStore } from "../files.js";

const NEXT = "create table more (n integer) strict; insert into more values (7)";
const BROKEN = `${NEXT}; select no_such_function()`;

function version(database: Database): unknown {
  return (database.prepare("pragma user_version").get() as { user_version: number }).user_version;
}

function tables(database: Database): readonly string[] {
  const rows = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
  return rows.map((row: { name: string }) => row.name);
}

describe("migrating", () => {
  it("brings a new file to the newest version", () => {
    const database = openFile(newFile());
    migrate(database);
    expect(version(database)).toBe(SCHEMA_STEPS.length);
    database.close();
  });

  it("changes nothing in a file that is up to date", async () => {
    const file = newFile();
    await openStore(file).close();
    const before = readFileSync(file);
    await openStore(file).close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("runs only the steps that a file lacks", () => {
    const database = openFile(newFile());
    migrate(database);
    migrate(database, [...SCHEMA_STEPS, NEXT]);
    migrate(database, [...SCHEMA_STEPS, NEXT]);
    expect(version(database)).toBe(SCHEMA_STEPS.length + 1);
    expect(database.prepare("select count(*) as n from more").get()).toEqual({ n: 1 });
    database.close();
  });

  it("leaves a file as it was before a step that fails, so that the step can be run again", () => {
    const database = openFile(newFile());
    migrate(database);
    expect(() => {
      migrate(database, [...SCHEMA_STEPS, BROKEN]);
    }).toThrow("no_such_function");
    expect(version(database)).toBe(SCHEMA_STEPS.length);
    expect(tables(database)).not.toContain("more");
    migrate(database, [...SCHEMA_STEPS, NEXT]);
    expect(tables(database)).toContain("more");
    database.close();
  });

  it("two connections that migrate at once run each step once", () => {
    const file = newFile();
    const [one, other] = [openFile(file), openFile(file)];
    migrate(one);
    migrate(other);
    expect(version(other)).toBe(SCHEMA_STEPS.length);
    one.close();
    other.close();
  });
});

describe("a file", () => {
  it("of a newer version is refused and not touched", async () => {
    const file = newFile();
    await openStore(file).close();
    const database = openFile(file);
    migrate(database, [...SCHEMA_STEPS, NEXT]);
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    const before = readFileSync(file);
    const words = `is of schema version ${String(SCHEMA_STEPS.length + 1)}, newer than this Postrider: start the one that`;
    expect(() => createSqliteStore({ database: openFile(file) })).toThrow(words);
    expect(() => createSqliteAudienceStore({ database: openFile(file) })).toThrow(words);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ["with tables of another program", "create table users (name text)"],
    ["with another program's mark", "pragma application_id = 77"],
  ])("%s is refused and not touched", (_, sql) => {
    const database = openFile(newFile());
    database.exec(sql);
    const before = tables(database);
    expect(() => createSqliteStore({ database })).toThrow("belongs to another program");
    expect(tables(database)).toEqual(before);
    expect(version(database)).toBe(0);
    database.close();
  });
});
