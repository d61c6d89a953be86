// A process that has claimed deliveries knows where they are in their leases: it settles them without a look at the lists of a lease,
// and what others have done to a lease meanwhile is seen.

import {
  type DeliveryId,
  type DeliveryStore,
  destinationId,
  epochMs,
  leaseToken,
  type NewMessage,
  type Settlement,
  sourceId,
} from "@postrider/core";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const [CRM, MAIL] = [destinationId("crm"), destinationId("mail")];
const NOW = epochMs(86_400_000);
const LEASE_MS = 30_000;
const AFTER = epochMs(NOW + LEASE_MS);
const NOTHING = { accept: [], settle: [], replay: [], append: [], tally: [] };
/** More than fit into a row of a lease, so that its lists are stored beside it. */
const MANY = 400;

let [schemas, messages] = [0, 0];

function message(destinations: readonly (typeof CRM)[], size = 1): NewMessage {
  messages += 1;
  return {
    ...{ source: sourceId("website"), messageId: `m${String(messages)}`, type: "track", receivedAt: NOW, filtered: [] },
    body: new Uint8Array(size) as NewMessage["body"],
    deliveries: destinations.map((destination) => ({ destination, start: { kind: "claimed" } })),
  };
}

/** Stores messages as claimed under the token; the ids of their deliveries, by message. */
async function hold(
  store: DeliveryStore,
  token: string,
  accept: readonly NewMessage[],
): Promise<readonly DeliveryId[]> {
  const lease = { token: leaseToken(token), leaseMs: LEASE_MS };
  const { accepted } = await store.commit({ ...NOTHING, lease, accept }, NOW);
  return accepted.flatMap((result) => (result.kind === "stored" ? result.deliveries : []));
}

function delivered(id: DeliveryId, token: string): Settlement {
  return { id, token: leaseToken(token), outcome: { kind: "delivered", detail: "200" }, attempts: [], endpoints: [] };
}

async function settle(store: DeliveryStore, ids: readonly DeliveryId[], token: string): Promise<readonly string[]> {
  const lease = { token: leaseToken("none"), leaseMs: LEASE_MS };
  const { settled } = await store.commit({ ...NOTHING, lease, settle: ids.map((id) => delivered(id, token)) }, NOW);
  return settled;
}

for (const installed of installedServers()) {
  describe(`leases on ${installed.name}`, () => {
    const { server } = startForSuite(installed);

    /** Two processes on a new schema, over one connection each. */
    async function setScene() {
      schemas += 1;
      const schema = `leases${String(schemas)}`;
      const [pool, otherPool] = [server().pool(1), server().pool(1)];
      const options = { schema, time: "caller", clock: createSystemClock() } as const;
      const [store, other] = [
        await openPostgresStore({ pool, ...options }),
        await openPostgresStore({ pool: otherPool, ...options }),
      ];
      /** The blocks of the lists of leases that a connection has looked at so far. */
      const blocksOfLists = async (of: typeof pool): Promise<number> => {
        await of.query("select pg_stat_force_next_flush()");
        const { rows } = await of.query(
          `select toast_blks_hit + toast_blks_read as count from pg_statio_user_tables where schemaname = $1 and relname = 'lease'`,
          [schema],
        );
        return Number((rows[0] as { readonly count: string }).count);
      };
      const claim = async (by: DeliveryStore, token: string, limit: number): Promise<readonly DeliveryId[]> => {
        const lanes = [{ lane: CRM, limit }];
        const { deliveries } = await by.claim({ token: leaseToken(token), leaseMs: LEASE_MS, lanes }, AFTER);
        return deliveries.map(({ id }) => id);
      };
      return { schema, pool, otherPool, store, other, claim, blocksOfLists };
    }

    it("no list of a lease is opened for deliveries that this process has stored or claimed", async () => {
      const { pool, otherPool, store, other, claim, blocksOfLists } = await setScene();
      const accept = Array.from({ length: MANY }, () => message([CRM]));
      const ids = await hold(store, "held", accept);
      const before = await blocksOfLists(pool);
      expect(await settle(store, ids.slice(0, 9), "held")).toEqual(Array.from({ length: 9 }, () => "settled"));
      expect((await blocksOfLists(pool)) - before).toBe(0);
      const later = ids.slice(20, 29).map((id) => ({
        ...{ id, token: leaseToken("held"), outcome: { kind: "released", dueAt: AFTER } as const },
        ...{ attempts: [], endpoints: [] },
      }));
      const lease = { token: leaseToken("none"), leaseMs: LEASE_MS };
      const { settled } = await store.commit({ ...NOTHING, lease, settle: later }, NOW);
      expect(settled).toEqual(Array.from({ length: 9 }, () => "settled"));
      expect((await blocksOfLists(pool)) - before).toBe(0);
      // Another process has to look for them.
      const others = await blocksOfLists(otherPool);
      expect(await settle(other, ids.slice(9, 10), "held")).toEqual(["settled"]);
      expect((await blocksOfLists(otherPool)) - others).toBeGreaterThan(0);
      const claimed = await claim(other, "taken", MANY);
      expect(claimed).toHaveLength(MANY - 10);
      const taken = await blocksOfLists(otherPool);
      // Their rounds were stored when they were claimed, and are looked at; the other lists are not.
      expect(await settle(other, claimed.slice(100, 101), "taken")).toEqual(["settled"]);
      expect((await blocksOfLists(otherPool)) - taken).toBeLessThanOrEqual(4);
    });

    it("each delivery is settled in its lane, with the bytes and the source that it has", async () => {
      const { store } = await setScene();
      const accept = [message([CRM, MAIL], 10), message([MAIL], 200), message([CRM], 3_000)];
      const ids = await hold(store, "held", accept);
      const lanes = async () =>
        (await store.lanes({ limit: 9 }, NOW)).lanes.map(({ lane, deliveries, bytes }) => [lane, deliveries, bytes]);
      expect(await lanes()).toEqual([
        [CRM, 2, 3_010],
        [MAIL, 2, 210],
      ]);
      const [crmOfFirst, mailOfFirst, mailOfSecond, crmOfThird] = ids as [
        DeliveryId,
        DeliveryId,
        DeliveryId,
        DeliveryId,
      ];
      expect(await settle(store, [crmOfThird, mailOfFirst], "held")).toEqual(["settled", "settled"]);
      expect(await lanes()).toEqual([
        [CRM, 1, 10],
        [MAIL, 1, 200],
      ]);
      expect(await settle(store, [mailOfSecond, mailOfFirst, crmOfFirst], "held")).toEqual([
        "settled",
        "stale",
        "settled",
      ]);
      expect(await lanes()).toEqual([]);
      const states = await Promise.all(ids.map(async (id) => (await store.find(id))?.state));
      expect(states).toEqual(["delivered", "delivered", "delivered", "delivered"]);
    });

    it("a delivery that another process has taken over is stale, and one that is left in the lease beside it is not", async () => {
      const { store, other, claim } = await setScene();
      const ids = await hold(store, "held", [message([CRM]), message([CRM])]);
      const [taken] = await claim(other, "taken", 1);
      const left = ids.find((id) => id !== taken);
      if (taken === undefined || left === undefined) throw new Error("one of two is taken over");
      expect(await settle(store, [taken], "held")).toEqual(["stale"]);
      expect(await settle(store, [left], "held")).toEqual(["settled"]);
      expect(await settle(other, [taken], "taken")).toEqual(["settled"]);
    });

    it("a lease that was divided to end sooner still settles all that it had", async () => {
      const { store, other, claim } = await setScene();
      const ids = await hold(store, "held", [message([CRM]), message([CRM]), message([CRM])]);
      const request = { lane: CRM, dueAfter: NOW, dueAt: NOW, limit: 2 };
      expect(await other.pullIn(request, NOW)).toBe(2);
      expect(await settle(store, ids, "held")).toEqual(["settled", "settled", "settled"]);
      expect(await claim(other, "later", 9)).toEqual([]);
    });
  });
}
