// The behaviour of a store when SQLite fails: full disk, busy file, broken file.

import { createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import { copyFileSync, statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { changes, CRM, LEASE, message, NOW, stored } from "../changes.js";
import { type Database, newFile, openFile, openStore } from "../files.js";

const rejection = (code: string): unknown => expect.objectContaining({ code });

/** A database that throws a given error for a given statement. */
function failing(database: Database): {
  readonly database: SqliteDatabase;
  readonly fail: (sql: string, error: Error) => void;
} {
  let broken: { readonly sql: string; readonly error: Error } | undefined;
  const exec = (sql: string): void => {
    if (broken?.sql === sql) throw broken.error;
    database.exec(sql);
  };
  return {
    database: { exec, prepare: (sql) => database.prepare(sql), close: () => database.close() },
    fail: (sql, error) => {
      broken = { sql, error };
    },
  };
}

function isLocked(database: Database): boolean {
  try {
    database.exec("begin immediate");
    database.exec("rollback");
    return false;
  } catch {
    return true;
  }
}

function sqliteError(errcode: number): Error {
  return Object.assign(new Error("injected"), { code: "ERR_SQLITE_ERROR", errcode });
}

describe("a store", () => {
  it.each([
    ["an fsync that failed", 1034],
    ["a malformed page", 11],
  ])("answers nothing more after %s, since nothing it reads can be trusted", async (_, errcode) => {
    const { database, fail } = failing(openFile(newFile()));
    const store = createSqliteStore({ database });
    fail("commit", sqliteError(errcode));
    await expect(store.commit(changes({ accept: [message("1")] }), NOW)).rejects.toEqual(rejection("corrupt"));
    fail("nothing", sqliteError(errcode));
    await expect(store.counts()).rejects.toEqual(rejection("corrupt"));
    await expect(store.claim({ ...LEASE, lanes: [] }, NOW)).rejects.toEqual(rejection("corrupt"));
    await store.close();
  });

  it("has written nothing when it was full, and goes on", async () => {
    const { database, fail } = failing(openFile(newFile()));
    const store = createSqliteStore({ database });
    fail("commit", sqliteError(13));
    await expect(store.commit(changes({ accept: [message("1")] }), NOW)).rejects.toEqual(rejection("full"));
    fail("nothing", sqliteError(13));
    expect(await store.counts()).toEqual([]);
    expect(stored(await store.commit(changes({ accept: [message("1")] }), NOW))).toHaveLength(1);
    await store.close();
  });

  it("is full at a real bound of its file, keeps its contents, and stores more once there is space", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    const large = (id: string) => changes({ accept: [message(id, { body: new Uint8Array(40_000) as never })] });
    const [first] = stored(await store.commit(large("1"), NOW));
    database.exec("pragma max_page_count = 60");
    await expect(
      (async () => {
        for (let n = 2; n < 50; n += 1) await store.commit(large(String(n)), NOW);
      })(),
    ).rejects.toEqual(rejection("full"));
    database.exec("pragma max_page_count = 1000");
    expect(first).toBeDefined();
    expect((await store.list({ limit: 100 })).deliveries.at(-1)?.id).toBe(first);
    await store.commit(large("more"), NOW);
    await store.close();
  });

  it("is busy while another process writes", async () => {
    const file = newFile();
    const store = openStore(file);
    const other = openFile(file);
    other.exec("begin immediate");
    await expect(store.commit(changes({ accept: [message("1")] }), NOW)).rejects.toEqual(rejection("busy"));
    expect(await store.counts()).toEqual([]);
    other.exec("rollback");
    expect(stored(await store.commit(changes({ accept: [message("1")] }), NOW))).toHaveLength(1);
    other.close();
    await store.close();
  });

  it("takes the write lock before it reads what it will change, and none for what it only reads", async () => {
    const file = newFile();
    const [mine, other] = [openFile(file), openFile(file)];
    const locked: boolean[] = [];
    const exec = (sql: string): void => {
      mine.exec(sql);
      if (sql.startsWith("begin")) locked.push(isLocked(other));
    };
    const store = createSqliteStore({
      database: { exec, prepare: (sql) => mine.prepare(sql), close: () => mine.close() },
    });
    locked.length = 0;
    await store.commit(changes({ accept: [message("1")] }), NOW);
    await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 1 }] }, NOW);
    await store.end({ lane: CRM, reason: "expired", limit: 1 }, NOW);
    await store.sweep({ deliveredBefore: NOW, deadBefore: NOW, limit: 1 }, NOW);
    // The first sweep also restarts the log, which is a separate write.
    expect(locked).toEqual([true, true, true, true, true]);
    await store.list({ limit: 1 });
    expect(locked.at(-1)).toBe(false);
    other.close();
    await store.close();
  });

  it("leaves all data in the one file when it is closed", async () => {
    const file = newFile();
    const store = openStore(file);
    await store.commit(changes({ accept: [message("1")] }), NOW);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    await store.close();
    copyFileSync(file, `${file}.copy`);
    expect(await openStore(`${file}.copy`).counts()).toMatchObject([{ accepted: 1 }]);
  });

  it("goes on when the schema changes under its statements", async () => {
    const file = newFile();
    const store = openStore(file);
    const [id] = stored(await store.commit(changes({ accept: [message("1")] }), NOW));
    const other = openFile(file);
    other.exec("alter table delivery add column more integer");
    const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 1 }] }, NOW);
    expect(deliveries.map((one) => one.id)).toEqual([id]);
    other.close();
    await store.close();
  });

  it("holds on to its database: the driver closes one that is collected, though its statements live on", async () => {
    const store = openStore();
    await store.commit(changes({ accept: [message("1")] }), NOW);
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect((await store.list({ limit: 1 })).deliveries).toHaveLength(1);
    await store.close();
  });

  it("rejects as unavailable once closed, and may be closed twice", async () => {
    const store = openStore();
    await store.close();
    await store.close();
    await expect(store.counts()).rejects.toEqual(rejection("unavailable"));
  });

  it("distinguishes ids of other stores from those that it assigned", async () => {
    const store = openStore();
    await store.commit(changes({ accept: [message("1")] }), NOW);
    for (const id of ["01", "1.0", "1e0", " 1", "", "-1", "0", "1".repeat(40), "x"]) {
      expect(await store.find(id as never)).toBeUndefined();
    }
    await store.close();
  });
});
