// The call storage on SQLite: the contract of the port on real files, and the files that it refuses.

import { createSqliteCallStorage, createSqliteStore } from "@postrider/sqlite";
import { callStorageContract } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { newFile, openFile } from "./files.js";

const CALL = { messageId: "m1", type: "track", json: '{"userId":"u1","event":"e"}' } as const;

function openStorage(file: string, maxCalls?: number) {
  return createSqliteCallStorage({ database: openFile(file), ...(maxCalls === undefined ? {} : { maxCalls }) });
}

describe("the call storage on SQLite", () => {
  const files = new Map<string, string>();
  const cases = callStorageContract({
    open: (name, maxCalls) => {
      const file = files.get(name) ?? newFile();
      files.set(name, file);
      return Promise.resolve(openStorage(file, maxCalls));
    },
    supports: { restart: true },
  });
  for (const { name, run } of cases) it(name, run);

  it("goes on with a file that was closed, and answers nothing once it is", async () => {
    const file = newFile();
    const storage = openStorage(file);
    await storage.change({ keep: [CALL], drop: [] });
    await storage.close();
    await storage.close();
    await expect(storage.load({ limit: 10 })).rejects.toMatchObject({ code: "unavailable" });
    expect((await openStorage(file).load({ limit: 10 })).calls).toEqual([CALL]);
  });

  it("changes neither a file of a store nor one of a newer version, and a store does not change its files", async () => {
    const [ofStore, newer, ofCalls] = [newFile(), newFile(), newFile()];
    createSqliteStore({ database: openFile(ofStore) });
    expect(() => openStorage(ofStore)).toThrow(/belongs to another program/);
    openStorage(ofCalls);
    expect(() => createSqliteStore({ database: openFile(ofCalls) })).toThrow(/belongs to another program/);
    openStorage(newer);
    openFile(newer).exec("pragma user_version = 99");
    expect(() => openStorage(newer)).toThrow(/schema version 99, newer than this Postrider/);
  });

  it.each([
    ["json", "update call set json = replace(json, 'u1', 'u2')"],
    ["type", "update call set type = 'page'"],
    ["name", "update call set message_id = 'm2'"],
    ["kind of call that does not exist", "update call set type = 'delete'"],
  ])("returns no call whose %s differs from what was written", async (_, sql) => {
    const file = newFile();
    const storage = openStorage(file);
    await storage.change({ keep: [CALL], drop: [] });
    openFile(file).exec(sql);
    await expect(storage.load({ limit: 10 })).rejects.toMatchObject({ code: "corrupt" });
    await expect(storage.change({ keep: [], drop: [] })).rejects.toMatchObject({ code: "corrupt" });
  });

  it("is busy, and has written nothing, while another process writes", async () => {
    const file = newFile();
    const storage = openStorage(file);
    const other = openFile(file);
    other.exec("begin immediate");
    await expect(storage.change({ keep: [CALL], drop: [] })).rejects.toMatchObject({ code: "busy" });
    other.exec("rollback");
    await storage.change({ keep: [CALL], drop: [] });
    expect((await storage.load({ limit: 10 })).calls).toEqual([CALL]);
  });
});
