// The database file is opened by the available driver, readable only by its owner, or the error says why not.

import { createSqliteStore } from "@postrider/sqlite";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../packages/sqlite/src/file-store/open-database.js";

const folder = mkdtempSync(join(tmpdir(), "postrider-open-"));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

describe("opening a database file", () => {
  it("makes it readable only by its owner, and the files of SQLite beside it too", () => {
    const file = join(folder, "new.db");
    const database = openDatabase(file);
    createSqliteStore({ database });
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(`${file}-wal`)).toBe(0o600);
    database.close();
  });

  it("keeps the permissions of an existing file", () => {
    const file = join(folder, "shared.db");
    writeFileSync(file, "");
    chmodSync(file, 0o640);
    openDatabase(file).close();
    expect(modeOf(file)).toBe(0o640);
  });

  it.each([":memory:", "file:x?mode=memory", ""])("takes %j as the name of a file, or as none", (name) => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      if (name === "") expect(() => openDatabase(name)).toThrow("it is a folder, not a file");
      else openDatabase(name).close();
      expect(existsSync(join(folder, name))).toBe(true);
    } finally {
      process.chdir(before);
    }
  });

  it.skipIf(process.platform !== "linux")("keeps the locks of an open connection", () => {
    const file = join(folder, "locked.db");
    const first = openDatabase(file);
    createSqliteStore({ database: first });
    const second = openDatabase(file);
    // Without its lock on the file, another process that reads the file may take over the log, and delete it.
    const locks = readFileSync("/proc/locks", "utf8");
    expect(locks).toMatch(new RegExp(` ${String(process.pid)} [0-9a-f]+:[0-9a-f]+:${String(statSync(file).ino)} `));
    second.close();
    first.close();
  });

  it("explains what is wrong with the path", () => {
    mkdirSync(join(folder, "a-folder"));
    writeFileSync(join(folder, "a-file"), "");
    expect(() => openDatabase(join(folder, "a-folder"))).toThrow("it is a folder, not a file");
    expect(() => openDatabase(join(folder, "nowhere", "x.db"))).toThrow("its folder does not exist");
    expect(() => openDatabase(join(folder, "a-file", "x.db"))).toThrow("a part of its path is a file, not a folder");
    expect(() => openDatabase(join(folder, "x".repeat(300)))).toThrow("it cannot be opened (ENAMETOOLONG)");
  });
});
