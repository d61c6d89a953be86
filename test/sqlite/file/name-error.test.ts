// Whatever a driver throws gets one of the port's codes; in doubt, `unavailable`.

import { createStoreError } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { nameError } from "../../../packages/sqlite/src/file/database.js";
import { newFile, openFile } from "../files.js";

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

function coded(message: string, fields: object): Error {
  return Object.assign(new Error(message), fields);
}

describe("a SQLite error", () => {
  it.each([
    [5, "busy"],
    [517, "busy"], // SQLITE_BUSY_SNAPSHOT
    [6, "busy"],
    [13, "full"],
    [10, "corrupt"],
    [1034, "corrupt"], // SQLITE_IOERR_FSYNC
    [11, "corrupt"],
    [26, "corrupt"],
    [8, "unavailable"], // SQLITE_READONLY
    [14, "unavailable"], // SQLITE_CANTOPEN
    [4874, "full"], // SQLITE_IOERR_SHMSIZE
    [2067, "corrupt"], // SQLITE_CONSTRAINT_UNIQUE
  ])("with result code %i is %s", (errcode, code) => {
    expect(nameError(coded("no help", { code: "ERR_SQLITE_ERROR", errcode })).code).toBe(code);
  });

  it.each([
    ["SQLITE_BUSY_SNAPSHOT", "busy"],
    ["SQLITE_LOCKED", "busy"],
    ["SQLITE_FULL", "full"],
    ["SQLITE_IOERR_FSYNC", "corrupt"],
    ["SQLITE_CORRUPT_VTAB", "corrupt"],
    ["SQLITE_NOTADB", "corrupt"],
    ["SQLITE_CONSTRAINT_UNIQUE", "corrupt"],
    ["SQLITE_IOERR_SHMSIZE", "full"],
    ["ERR_OUT_OF_RANGE", "corrupt"],
  ])("named %s by better-sqlite3 is %s", (name, code) => {
    expect(nameError(coded("no help", { code: name })).code).toBe(code);
  });

  it("that a driver reports only by its message is recognized by that", () => {
    const file = newFile();
    const [holder, waiting] = [openFile(file), openFile(file)];
    holder.exec("create table t (n)");
    holder.exec("begin immediate");
    const insert = waiting.prepare("insert into t values (1) returning n");
    const error = thrown(() => insert.all());
    expect(error).not.toHaveProperty("errcode");
    expect(nameError(error).code).toBe("busy");
    for (const database of [holder, waiting]) database.close();
  });

  it.each([
    ["disk I/O error", "corrupt"],
    ["database disk image is malformed", "corrupt"],
    ["file is not a database", "corrupt"],
    ["database or disk is full", "full"],
    ["database table is locked: t", "busy"],
    ["database is not open", "unavailable"],
  ])("whose message is only %j is %s", (message, code) => {
    expect(nameError(new Error(message)).code).toBe(code);
  });

  it("from a database that was closed is unavailable, and carries what the driver said", () => {
    const database = openFile(newFile());
    database.close();
    const error = thrown(() => database.prepare("select 1").get());
    const named = nameError(error);
    expect(named.code).toBe("unavailable");
    expect(named.message).toContain("database is not open");
    expect(named.cause).toBe(error);
  });

  it("that has a code of the port keeps it", () => {
    const error = createStoreError("full", "no room");
    expect(nameError(error)).toBe(error);
  });

  it("that is no error at all is unavailable", () => {
    expect(nameError("what").code).toBe("unavailable");
    expect(nameError(undefined).code).toBe("unavailable");
  });
});
