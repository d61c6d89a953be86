// Message ids are remembered for a day, within a bound, and forgotten in small slices.

import { DEDUPE_WINDOW_MS } from "@postrider/core";
import { createSqliteStore } from "@postrider/sqlite";
import { describe, expect, it } from "vitest";
import { changes, later, message, NOW } from "./changes.js";
import { type Database, newFile, openFile } from "./files.js";

function remembered(database: Database): unknown {
  const rows = database.prepare("select count(*) as n from seen").get() as { n: number };
  const total = database.prepare("select n from seen_total").get() as { n: number };
  expect(total.n).toBe(rows.n);
  return rows.n;
}

const batch = (prefix: string, size: number) =>
  changes({ accept: Array.from({ length: size }, (_, index) => message(`${prefix}-${String(index)}`)) });

describe("remembering message ids", () => {
  it("forgets what is a day old, a slice at each commit, so that no commit pays for a whole day", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    await store.commit(batch("old", 100), NOW);
    await store.commit(batch("a", 1), later(DEDUPE_WINDOW_MS));
    expect(remembered(database)).toBe(100 + 1 - 18);
    for (let n = 0; n < 10; n += 1) await store.commit(batch(`b${String(n)}`, 1), later(DEDUPE_WINDOW_MS));
    expect(remembered(database)).toBe(11);
    await store.close();
  });

  it("takes an id again after a day, even where it has not been forgotten yet, and counts it once", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    await store.commit(batch("old", 100), NOW);
    const again = await store.commit(
      changes({ accept: [message("old-99"), message("old-99")] }),
      later(DEDUPE_WINDOW_MS),
    );
    expect(again.accepted.map(({ kind }) => kind)).toEqual(["stored", "duplicate"]);
    remembered(database);
    await store.close();
  });

  it("keeps no more than its bound, the oldest out first", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database, maxMessageIds: 10 });
    for (let n = 0; n < 30; n += 1) await store.commit(batch(`n${String(n)}`, 1), later(n));
    expect(remembered(database)).toBe(10);
    const again = await store.commit(changes({ accept: [message("n29-0"), message("n5-0")] }), later(30));
    expect(again.accepted.map(({ kind }) => kind)).toEqual(["duplicate", "stored"]);
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
