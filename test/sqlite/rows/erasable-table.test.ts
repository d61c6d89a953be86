// Erasable tables: blocks of wiped rows are removed, and needed rows move.

import type { EndpointId } from "@postrider/core";
import { createSqliteStore } from "@postrider/sqlite";
import { describe, expect, it } from "vitest";
import { BLOCK_ROWS } from "../../../packages/sqlite/src/delivery-store/erasable-tables.js";
import { changes, CRM, LEASE, later, message, NOW, stored } from "../changes.js";
import { type Database, newFile, openFile } from "../files.js";

function count(database: Database, sql: string): number {
  return (database.prepare(`select count(*) as n from ${sql}`).get() as { n: number }).n;
}

const ALL = { deliveredBefore: later(1), deadBefore: NOW, limit: 9_999 };

describe("an erasable table", () => {
  it("removes a block with few needed rows, and these rows move, with their deliveries", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    const accept = Array.from({ length: BLOCK_ROWS + 20 }, (_, index) => message(String(index)));
    const ids = stored(await store.commit(changes({ accept }), NOW));
    await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9_999 }] }, NOW);
    const isKept = (index: number): boolean => index === 7 || index >= BLOCK_ROWS - 1;
    const outcome = { kind: "delivered", detail: "200" } as const;
    const settle = ids
      .filter((_, index) => !isKept(index))
      .map((id) => ({ id, token: LEASE.token, outcome, attempts: [], endpoints: [] }));
    await store.commit(changes({ settle }), NOW);
    expect(await store.sweep(ALL, later(1))).toBe(BLOCK_ROWS - 2);
    expect(count(database, `message where id <= ${String(BLOCK_ROWS)}`)).toBe(0);
    expect((await store.find(ids[7]!))?.body).toEqual(new TextEncoder().encode('{"messageId":"7"}'));
    expect(count(database, "message where body is not null and wiped is null")).toBe(22);
    await store.close();
  });

  it("moves the `traceparent` of a message with it", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const accept = Array.from({ length: BLOCK_ROWS }, (_, index) =>
      message(String(index), index === 7 ? { traceparent } : {}),
    );
    const ids = stored(await store.commit(changes({ accept }), NOW));
    await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9_999 }] }, NOW);
    const outcome = { kind: "delivered", detail: "200" } as const;
    const settle = ids.map((id) => ({ id, token: LEASE.token, outcome, attempts: [], endpoints: [] }));
    await store.commit(changes({ settle: settle.filter((_, index) => index !== 7) }), NOW);
    await store.sweep(ALL, later(1));
    expect(count(database, `message where id <= ${String(BLOCK_ROWS)}`)).toBe(0);
    const again = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9_999 }] }, later(LEASE.leaseMs));
    expect(again.deliveries).toMatchObject([{ messageId: "7", traceparent }]);
    await store.close();
  });

  it("puts a row between two blocks that fills one page, and no part of a second", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    const accept = Array.from({ length: BLOCK_ROWS + 1 }, (_, index) => message(String(index)));
    const ids = stored(await store.commit(changes({ accept }), NOW));
    await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9_999 }] }, NOW);
    const outcome = { kind: "rescheduled", dueAt: NOW, detail: "500" } as const;
    const settle = ids.map((id, index) => {
      return { id, token: LEASE.token, outcome, attempts: [], endpoints: keep(0, index) };
    });
    await store.commit(changes({ settle }), NOW);
    for (const table of ["message", "excerpt"]) {
      expect(count(database, `${table} where id % ${String(BLOCK_ROWS)} = 0`)).toBe(1);
      expect(count(database, `dbstat where name = '${table}' and pagetype = 'overflow'`)).toBe(0);
      // Its payload, and the header of 8 bytes, its cell's place of 2, and the lengths of payload and id of 2 each.
      expect(count(database, `dbstat where name = '${table}' and ncell = 1 and unused < 30`)).toBe(1);
    }
    await store.close();
  });

  it("moves excerpts, and shows them as they were", async () => {
    const database = openFile(newFile());
    const store = createSqliteStore({ database });
    const accept = Array.from({ length: BLOCK_ROWS + 20 }, (_, index) => message(String(index)));
    const ids = stored(await store.commit(changes({ accept }), NOW));
    const outcome = { kind: "rescheduled", dueAt: NOW, detail: "500" } as const;
    for (let round = 0; round < 3; round += 1) {
      await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9_999 }] }, NOW);
      const settle = ids.map((id, index) => ({
        ...{ id, token: LEASE.token, outcome, attempts: [] },
        endpoints: keep(round, index),
      }));
      await store.commit(changes({ settle }), NOW);
    }
    for (const [index, id] of ids.entries()) expect((await store.find(id))?.endpoints).toEqual(keep(2, index));
    expect(count(database, "excerpt where bytes is not null and delivery > 0")).toBe(ids.length);
    expect(count(database, "excerpt")).toBeLessThan(2 * BLOCK_ROWS + 40);
    await store.close();
  });
});

function keep(round: number, index: number) {
  const excerpt = new TextEncoder().encode(`answer ${String(index)} of round ${String(round)}`);
  return [{ endpoint: "https://a.test/" as EndpointId, refused: false, excerpt: new Uint8Array(excerpt) }];
}
