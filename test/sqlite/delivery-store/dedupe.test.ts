// Message ids are remembered for a day, within a bound, and forgotten in small slices.

import { DEDUPE_WINDOW_MS, type EpochMs } from "@postrider/core";
import { createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changes, later, message, NOW } from "../changes.js";
import { type Database, newFile, openFile } from "../files.js";

function numberOf(database: Database, sql: string): unknown {
  return (database.prepare(sql).get() as { n: number }).n;
}

/** The number of ids in the file; there is a hash for each id. */
function remembered(database: Database): unknown {
  const ids = numberOf(database, "select coalesce(sum(json_array_length(ids)), 0) as n from seen_id");
  expect(numberOf(database, "select coalesce(sum(length(hashes)) / 8, 0) as n from seen_hash")).toBe(ids);
  return ids;
}

const batch = (prefix: string, size: number) =>
  changes({ accept: Array.from({ length: size }, (_, index) => message(`${prefix}-${String(index)}`)) });

describe("remembering message ids", () => {
  it("forgets ids older than a day, a slice at each commit, so that no commit removes a whole day", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    await store.commit(batch("old", 640), NOW);
    await store.commit(batch("a", 1), later(DEDUPE_WINDOW_MS));
    expect(remembered(database)).toBe(640 + 1 - 64);
    for (let n = 0; n < 10; n += 1) await store.commit(batch(`b${String(n)}`, 1), later(DEDUPE_WINDOW_MS));
    expect(remembered(database)).toBe(11);
    await store.close();
  });

  it("forgets ids accepted one by one as quickly", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    for (let n = 0; n < 100; n += 1) await store.commit(batch(`old${String(n)}`, 1), NOW);
    await store.commit(batch("a", 1), later(DEDUPE_WINDOW_MS));
    expect(remembered(database)).toBe(100 + 1 - 18);
    await store.close();
  });

  it("forgets ids accepted while the clock was ahead by more than a day", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    await store.commit(batch("ahead", 1), later(2 * DEDUPE_WINDOW_MS));
    await store.commit(batch("old", 1), NOW);
    await store.commit(batch("a", 1), later(DEDUPE_WINDOW_MS - 1));
    expect(remembered(database)).toBe(2);
    await store.close();
  });

  it("accepts an id again after a day, even if it has not been forgotten yet", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    await store.commit(batch("old", 640), NOW);
    const twice = changes({ accept: [message("old-639"), message("old-639")] });
    const again = await store.commit(twice, later(DEDUPE_WINDOW_MS));
    expect(again.accepted.map(({ kind }) => kind)).toEqual(["stored", "duplicate"]);
    expect((await store.commit(twice, later(DEDUPE_WINDOW_MS + 1))).accepted.map(({ kind }) => kind)).toEqual([
      "duplicate",
      "duplicate",
    ]);
    await store.close();
  });

  it("keeps no more than its bound, and forgets the oldest first", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database, maxMessageIds: 10 });
    for (let n = 0; n < 30; n += 1) await store.commit(batch(`n${String(n)}`, 1), later(n));
    expect(remembered(database)).toBe(10);
    const again = await store.commit(changes({ accept: [message("n29-0"), message("n5-0")] }), later(30));
    expect(again.accepted.map(({ kind }) => kind)).toEqual(["duplicate", "stored"]);
    await store.close();
  });

  it("does not return an id beyond its bound, even if it has not been forgotten yet", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database, maxMessageIds: 10 });
    await store.commit(batch("a", 30), NOW);
    expect(remembered(database)).toBe(30);
    const count = async (messageId: string) => (await store.seen({ messageId }, NOW)).length;
    expect([await count("a-19"), await count("a-20")]).toEqual([0, 1]);
    await store.close();
  });

  it("compares the ids themselves: another with the same hash is no duplicate", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    await store.commit(changes({ accept: [message("one"), message("two")] }), NOW);
    database.exec("update seen_id set ids = replace(ids, 'one', 'eno')");
    const again = await store.commit(changes({ accept: [message("one"), message("two")] }), NOW);
    expect(again.accepted.map(({ kind }) => kind)).toEqual(["stored", "duplicate"]);
    await store.close();
  });

  it("counts nothing of a commit that failed", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    const broken = message("1", { receivedAt: 1.5 as never });
    await expect(store.commit(changes({ accept: [message("2"), broken] }), NOW)).rejects.toThrow("SQLite");
    expect(remembered(database)).toBe(0);
    await store.close();
  });
});

/** The steps of a file, in order. */
type Step =
  | { readonly kind: "commit"; readonly ids: readonly number[]; readonly store: 0 | 1; readonly fails: boolean }
  | { readonly kind: "reopen"; readonly store: 0 | 1; readonly isKilled: boolean }
  | { readonly kind: "pass"; readonly ms: number };

const store = fc.constantFrom(0 as const, 1 as const);
/** Some commits are larger than a block. */
const ids = fc.oneof(
  fc.array(fc.nat({ max: 30 }), { maxLength: 6 }),
  fc.nat({ max: 200 }).map((size) => Array.from({ length: size }, (_, index) => index)),
);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant("commit" as const), ids, store, fails: fc.boolean() }), weight: 8 },
  { arbitrary: fc.record({ kind: fc.constant("reopen" as const), store, isKilled: fc.boolean() }), weight: 1 },
  {
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1, DEDUPE_WINDOW_MS / 3) }),
    weight: 2,
  },
);

const MOST = 150;

/** A model: a plain list. */
function createModel() {
  let seen: { readonly id: number; readonly at: number }[] = [];
  return {
    commit: (wanted: readonly number[], now: number, fails: boolean): readonly string[] => {
      const before = seen;
      const answers = wanted.map((id) => {
        const known = seen.slice(-MOST).some((one) => one.id === id && one.at > now - DEDUPE_WINDOW_MS);
        // Within one commit, seen ids count whatever the bound is.
        const isTwin = seen.slice(before.length).some((one) => one.id === id);
        if (!known && !isTwin) seen = [...seen, { id, at: now }];
        return known || isTwin ? "duplicate" : "stored";
      });
      if (fails) seen = before;
      return answers;
    },
  };
}

/** A store whose commits fail on request. */
function openShaky(file: string) {
  const database = openFile(file);
  let fails = false;
  const exec = (sql: string): void => {
    if (fails && sql === "commit")
      throw Object.assign(new Error("injected"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
    database.exec(sql);
  };
  const watched: SqliteDatabase = { exec, prepare: (sql) => database.prepare(sql), close: () => database.close() };
  const opened = createSqliteStore({ database: watched, maxMessageIds: MOST });
  return {
    commit: async (wanted: readonly number[], now: EpochMs, isToFail: boolean): Promise<readonly string[]> => {
      fails = isToFail;
      const accept = wanted.map((id) => message(String(id), { deliveries: [] }));
      const committed = await opened.commit(changes({ accept }), now).catch(() => undefined);
      return committed?.accepted.map(({ kind }) => kind) ?? [];
    },
    close: () => opened.close(),
  };
}

it("an id is a duplicate exactly if it is one by a plain list, whatever happens to the file", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 40 }), async (all) => {
      const file = newFile();
      const model = createModel();
      const stores = [openShaky(file), openShaky(file)];
      let now: number = NOW;
      for (const step of all) {
        if (step.kind === "pass") now += step.ms;
        if (step.kind === "reopen") {
          // A process that is killed does not close its store.
          if (!step.isKilled) await stores[step.store]!.close();
          stores[step.store] = openShaky(file);
        }
        if (step.kind !== "commit") continue;
        const expected = model.commit(step.ids, now, step.fails);
        const answers = await stores[step.store]!.commit(step.ids, now as EpochMs, step.fails);
        expect(answers).toEqual(step.fails ? [] : expected);
      }
      for (const one of stores) await one.close();
    }),
    { numRuns: 60 },
  );
});
