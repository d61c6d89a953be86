// A database that fails when the contract suite says so, with the errors of SQLite; and damaged copies of a file.

import type { StoreErrorCode } from "@postrider/core";
import type { SqliteDatabase } from "@postrider/sqlite";
import type { StorageGate } from "@postrider/testkit/contracts";
import { readFileSync, writeFileSync } from "node:fs";
import { type Database, newFile } from "./files.js";

/** A result code of SQLite for each code of the port (sqlite.org/rescode.html). */
const RESULT_CODES: Readonly<Record<StoreErrorCode, number>> = { busy: 5, full: 13, corrupt: 11, unavailable: 14 };

/** The same connection; each statement may fail, and the answer to a `commit` may be lost. */
export function failingDatabase(database: Database, gate: StorageGate): SqliteDatabase {
  function failAt(at: "before" | "after"): void {
    const code = gate.fault(at);
    if (code === undefined) return;
    throw Object.assign(new Error(`a statement that fails as ${code}`), { errcode: RESULT_CODES[code] });
  }

  return {
    exec: (sql) => {
      failAt("before");
      database.exec(sql);
      if (sql === "commit") failAt("after");
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => {
          failAt("before");
          return statement.run(...values);
        },
        get: (...values) => {
          failAt("before");
          return statement.get(...values);
        },
        all: (...values) => {
          failAt("before");
          return statement.all(...values);
        },
      };
    },
    close: () => {
      database.close();
    },
  };
}

/** The path of a copy of a file, which is damaged in another way for each number from 1. */
export function damagedCopy(file: string, way: number): string {
  const [copy, bytes] = [newFile(), readFileSync(file)];
  const place = Math.floor((bytes.length * (way % 8)) / 8);
  const isCut = way % 2 === 0;
  // A file of no byte or one is a new one for SQLite; the mark beside a server's file tells it from a lost one.
  writeFileSync(copy, isCut ? bytes.subarray(0, Math.max(2, place)) : bytes.fill(0x5a, place, place + 512));
  return copy;
}
