// Files of every version before this one keep their contents: waiting deliveries are claimed, claimed ones can be settled,
// seen ids are duplicates, and the counters go on.

import { totalCounts } from "@postrider/core/engine";
import type { EndpointId, LeaseToken } from "@postrider/core";
import { expect, it } from "vitest";
import { migrate } from "../../../packages/sqlite/src/schema/migrate.js";
import { SCHEMA_STEPS } from "../../../packages/sqlite/src/schema/schema.js";
import { changes, CRM, LEASE, later, message, NOW, WEB } from "../changes.js";
import { openFile, openStore } from "../files.js";
import { firstVersionFile } from "./first-version.js";

const VERSIONS = SCHEMA_STEPS.slice(1).map((_, step) => step + 1);
const WAITING = 70;

/** A file of this version: 70 deliveries wait. The first two have had a round, and the first is claimed. */
async function fileOf(version: number): Promise<string> {
  const file = await firstVersionFile(WAITING);
  const database = openFile(file);
  database.exec(`
    update delivery set state = 1, token = 'old', due_at = ${String(later(30_000))}, rounds = 1, attempt_count = 1,
      first_attempt_at = ${String(NOW)}, detail = '503' where id = 1;
    update tally set waiting = waiting - 1, claimed = claimed + 1;
    insert into attempt values (1, 1, 1, 'https://a.test/', ${String(NOW)}, 1, 503, null, 'retry');
    update delivery set rounds = 1, detail = '503' where id = 2;
    insert into endpoint_state values (1, 0, 'https://a.test/', 1, cast('answer' as blob));
    insert into endpoint_state values (2, 0, 'https://a.test/', 1, cast('answer' as blob));`);
  migrate(database, SCHEMA_STEPS.slice(0, version));
  database.close();
  return file;
}

it.each(VERSIONS)("a file of version %i keeps its state", async (version) => {
  const store = openStore(await fileOf(version));
  // Files from before ids were stored in blocks do not have the number of deliveries of an id.
  expect(await store.seen({ messageId: "69" }, later(1))).toEqual([{ source: WEB, seenAt: NOW }]);
  const again = await store.commit(changes({ accept: [message("0"), message("69"), message("new")] }), later(1));
  expect(again.accepted.map(({ kind }) => kind)).toEqual(["duplicate", "duplicate", "stored"]);
  expect((await store.list({ messageId: "69", limit: 9 })).deliveries.map(({ id }) => id)).toEqual(["70"]);
  expect((await store.find("1" as never))?.endpoints).toMatchObject([{ refused: true }]);

  const endpoint = "https://b.test/" as EndpointId;
  const outcome = { kind: "rescheduled", dueAt: later(2), detail: "500" } as const;
  const settlement = { id: "1" as never, outcome, attempts: [], endpoints: [{ endpoint, refused: false }] };
  const settle = ["other", "old", "old"].map((token) => ({ ...settlement, token: token as LeaseToken }));
  expect((await store.commit(changes({ settle }), later(1))).settled).toEqual(["stale", "settled", "stale"]);
  expect((await store.find("1" as never))?.endpoints).toEqual([{ endpoint, refused: false }]);

  const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 99 }] }, later(2));
  expect(deliveries).toHaveLength(WAITING + 1);
  const tried = deliveries.filter(({ rounds }) => rounds > 0);
  expect(tried).toMatchObject([
    { id: "2", rounds: 1, endpoints: [{ refused: true, excerpt: new TextEncoder().encode("answer") }] },
    { id: "1", rounds: 1, firstAttemptAt: NOW, endpoints: [{ endpoint, refused: false }] },
  ]);
  const delivered = { outcome: { kind: "delivered", detail: "200" } as const, attempts: [], endpoints: [] };
  const all = deliveries.map(({ id }) => ({ id, token: LEASE.token, ...delivered }));
  await store.commit(changes({ settle: all }), later(2));
  const counts = await store.counts();
  expect(totalCounts(counts)).toMatchObject({ accepted: 71, waiting: 0, claimed: 0, delivered: 71, duplicates: 2 });
  expect(await store.lanes({ limit: 9 }, later(2))).toEqual({ lanes: [], more: false });
  await store.close();
});
