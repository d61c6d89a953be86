// A swept delivery is removed from every table, and the size of the file stays bounded.

import type { EndpointId } from "@postrider/core";
import { createSqliteStore } from "@postrider/sqlite";
import { expect, it } from "vitest";
import { changes, CRM, LEASE, later, message, NOW, stored } from "../changes.js";
import { newFile, openFile } from "../files.js";

it("a swept delivery leaves only its message id, its counters and its lane in the tables", async () => {
  const database = openFile(newFile());
  const store = createSqliteStore({ database });
  const [id = "" as never] = stored(await store.commit(changes({ accept: [message("1")] }), NOW));
  await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 1 }] }, NOW);
  const endpoint = "https://a.test/" as EndpointId;
  const result = { kind: "answered", status: 404 } as const;
  const attempts = [{ round: 1, endpoint, startedAt: NOW, durationMs: 1, result, verdict: "refused" as const }];
  const outcome = { kind: "dead", reason: "refused", detail: "404" } as const;
  const endpoints = [{ endpoint, refused: true, excerpt: new Uint8Array([1]) }];
  await store.commit(changes({ settle: [{ id, token: LEASE.token, outcome, attempts, endpoints }] }), NOW);

  expect(await store.sweep({ deliveredBefore: NOW, deadBefore: later(1), limit: 10 }, later(1))).toBe(1);
  const left = ["message", "delivery", "attempt", "endpoint_state", "seen_id", "lane", "tally"].map((table) => [
    table,
    (database.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n,
  ]);
  expect(Object.fromEntries(left)).toEqual({
    ...{ message: 0, delivery: 0, attempt: 0, endpoint_state: 0 },
    ...{ seen_id: 1, lane: 1, tally: 1 },
  });
  await store.close();
});

const HOUR_MS = 3_600_000;
const CALLS_AN_HOUR = 40;
const KEPT_HOURS = 6;

it("under a constant load with retention the file reaches a size and keeps it", async () => {
  const file = newFile();
  const database = openFile(file);
  const store = createSqliteStore({ database });
  const pages: number[] = [];
  for (let hour = 0; hour < 96; hour += 1) {
    const now = later(hour * HOUR_MS);
    const accept = Array.from({ length: CALLS_AN_HOUR }, (_, index) => {
      const deliveries = [{ destination: CRM, start: { kind: "waiting", dueAt: now } as const }];
      return message(`${String((hour * 7_919 + index * 104_729) % 1_000_003)}-${String(hour)}`, { deliveries });
    });
    await store.commit(changes({ accept }), now);
    const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 999 }] }, now);
    const outcome = { kind: "delivered", detail: "200" } as const;
    const settle = deliveries.map(({ id }) => ({ id, token: LEASE.token, outcome, attempts: [], endpoints: [] }));
    await store.commit(changes({ settle }), now);
    const before = later((hour - KEPT_HOURS) * HOUR_MS);
    await store.sweep({ deliveredBefore: before, deadBefore: before, limit: 999 }, now);
    pages.push((database.prepare("pragma page_count").get() as { page_count: number }).page_count);
  }
  // Message ids are remembered for a day, so the file grows for that time.
  expect(pages[30]).toBeGreaterThan(20);
  expect(pages[95]).toBeLessThanOrEqual(pages[30]! * 1.1);
  await store.close();
});
