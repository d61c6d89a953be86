// Users that requests name leave no trace once the requests are finished, nor do suppressed users once the suppression ends,
// with any number of open requests and in any order of their ends.

import type { DeletionId, DeletionStore, Regulation } from "@postrider/core";
import { createSeededRandom } from "@postrider/memory";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changes, NOW } from "../changes.js";
import { newFile, openStore } from "../files.js";

type Store = ReturnType<typeof openStore>;

function deletionsOf(store: Store): DeletionStore {
  if (store.deletions === undefined) throw new Error("this store knows nothing of users");
  return store.deletions;
}

function tracesOf(file: string, texts: readonly string[]): readonly string[] {
  const bytes = ["", "-wal", "-shm"].flatMap((ending) =>
    existsSync(file + ending) ? [readFileSync(file + ending)] : [],
  );
  return texts.filter((text) => bytes.some((one) => one.includes(text)));
}

interface Request {
  readonly id: DeletionId;
  readonly userIds: readonly string[];
}

function createRequests(store: Store) {
  const deletions = deletionsOf(store);
  let made = 0;
  return {
    open: async (userIds: readonly string[], regulation: Regulation): Promise<Request> => {
      made += 1;
      const id = `request-${String(made)}` as DeletionId;
      await deletions.open({ id, regulation, userIds, sources: null }, NOW);
      return { id, userIds };
    },
    finish: async ({ id, userIds }: Request): Promise<void> => {
      while (!(await deletions.purge({ id, limit: 250 }, NOW)).isDone) continue;
      await store.commit(changes({ notified: [{ deletion: id, users: userIds.length }] }), NOW);
      expect(await deletions.finish(id, NOW)).toBe(true);
    },
  };
}

describe("a user who is named", () => {
  it.each([1, 2])("by one of many requests leaves no trace once it is finished (seed %i)", async (seed) => {
    const file = newFile();
    const store = openStore(file);
    const random = createSeededRandom(seed);
    const requests = createRequests(store);
    const open: Request[] = [];
    const finished: string[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      const size = 1 + Math.floor(random.unit() * (random.unit() < 0.1 ? 300 : 20));
      const userIds = Array.from({ length: size }, (_, index) => `<user ${String(turn)}-${String(index)}>`);
      open.push(await requests.open(userIds, "delete-only"));
      while (open.length > 12 || (open.length > 0 && random.unit() < 0.4)) {
        const [one] = open.splice(Math.floor(random.unit() * open.length), 1);
        if (one === undefined) break;
        await requests.finish(one);
        finished.push(...one.userIds);
      }
    }
    expect(
      tracesOf(
        file,
        open.flatMap(({ userIds }) => userIds),
      ),
    ).not.toEqual([]);
    expect(tracesOf(file, finished)).toEqual([]);
    await store.close();
  });

  it.each([1, 2])("as suppressed leaves no trace once the suppression has ended (seed %i)", async (seed) => {
    const file = newFile();
    const store = openStore(file);
    const random = createSeededRandom(seed);
    const requests = createRequests(store);
    const suppressed: string[] = [];
    const lifted: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const users = Array.from({ length: 1 + Math.floor(random.unit() * 40) }, (_, index) => {
        return `<${String(Math.floor(random.unit() * 1e9))} user ${String(turn)}-${String(index)}>`;
      });
      await requests.finish(await requests.open(users, "suppress-only"));
      suppressed.push(...users);
      const gone = Array.from({ length: Math.floor(random.unit() * 50) }, () =>
        suppressed.splice(Math.floor(random.unit() * suppressed.length), 1),
      ).flat();
      if (gone.length === 0) continue;
      await requests.finish(await requests.open(gone, "unsuppress"));
      lifted.push(...gone);
    }
    expect(tracesOf(file, suppressed)).toEqual(suppressed);
    expect(tracesOf(file, lifted)).toEqual([]);
    await store.close();
  });
});
