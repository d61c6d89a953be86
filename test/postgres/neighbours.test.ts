// A store beside what operators do, or in a copy that they made: locks, other roles, restored copies, copies made row by row. All suites
// show that the rows of all tables can be changed while they are published, since their servers publish them.

import {
  type BoardNews,
  type DeliveryStore,
  destinationId,
  epochMs,
  leaseToken,
  type NewMessage,
  processId,
  sourceId,
} from "@postrider/core";
import { openPostgresStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { POSTGRES_STEPS, type PostgresStep } from "../../packages/postgres/src/schema/migrate.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const NOW = epochMs(10 * 86_400_000);
const LEASE_MS = 30_000;
const NOTHING = { accept: [], settle: [], replay: [], append: [], tally: [] };

/** More transactions than a cluster of these tests has had. */
const OTHER_CLUSTER = "1000000000";

let messages = 0;

function waitingIn(lane: string): NewMessage {
  messages += 1;
  return {
    ...{ source: sourceId("website"), messageId: `m${String(messages)}`, type: "track", receivedAt: NOW, filtered: [] },
    body: new Uint8Array([1]) as NewMessage["body"],
    deliveries: [{ destination: destinationId(lane), start: { kind: "waiting", dueAt: NOW } }],
  };
}

async function accept(store: DeliveryStore, ...lanes: readonly string[]): Promise<readonly string[]> {
  const lease = { token: leaseToken(`accept ${String(messages)}`), leaseMs: LEASE_MS };
  const { accepted } = await store.commit({ ...NOTHING, accept: lanes.map(waitingIn), lease }, NOW);
  return accepted.map(({ kind }) => kind);
}

/** Claims all of a lane, and delivers it; answers how many. */
async function deliverAll(store: DeliveryStore, lane: string): Promise<number> {
  const token = leaseToken(`claim ${String(messages)}`);
  const lanes = [{ lane: destinationId(lane), limit: 100 }];
  const { deliveries } = await store.claim({ lanes, token, leaseMs: LEASE_MS }, NOW);
  const settle = deliveries.map(({ id }) => ({
    ...{ id, token, outcome: { kind: "delivered", detail: "200" } as const },
    ...{ attempts: [], endpoints: [] },
  }));
  await store.commit({ ...NOTHING, settle, lease: { token: leaseToken("settles"), leaseMs: LEASE_MS } }, NOW);
  return deliveries.length;
}

/** The lanes that looks with their marks tell, one after the other. */
function looksAt(store: DeliveryStore): () => Promise<readonly string[]> {
  let mark: Parameters<NonNullable<DeliveryStore["laneChanges"]>["read"]>[0]["after"];
  return async () => {
    const changes = await store.laneChanges!.read({ limit: 100, ...(mark && { after: mark }) });
    mark = changes!.mark;
    return changes!.lanes.map(({ lane }) => lane);
  };
}

async function beat(store: DeliveryStore, since?: string): Promise<BoardNews> {
  const process = processId("process");
  return store.board!.beat({ process, share: 1, liveForMs: 60_000, limit: 100, ...(since && { since }) }, NOW);
}

const lanesOf = ({ rows }: BoardNews): readonly string[] => rows.map(({ lane }) => lane);

for (const installed of installedServers()) {
  describe(`a store on ${installed.name}`, () => {
    const { server, pool } = startForSuite(installed);
    let schemas = 0;

    function newSchema(): string {
      schemas += 1;
      return `neighbours${String(schemas)}`;
    }
    function open(schema: string, over: PostgresPool = pool()): Promise<DeliveryStore> {
      return openPostgresStore({ pool: over, clock: createSystemClock(), schema, time: "caller" });
    }

    async function locksAwaited(): Promise<unknown> {
      const { rows } = await pool().query("select count(*)::int4 as count from pg_locks where not granted");
      return rows[0]?.["count"];
    }

    /** Another one holds what the statement takes, until the work is done, or ends it. */
    async function inTransaction(text: string, work: (end: () => Promise<void>) => Promise<void>): Promise<void> {
      const client = await pool().connect();
      const end = async (): Promise<void> => {
        await client.query({ text: "commit" });
      };
      try {
        await client.query({ text: "begin" });
        await client.query({ text });
        await work(end);
      } finally {
        await end();
        client.release();
      }
    }

    /** Opens a store of the next version, whose step changes a table. */
    async function openNext(schema: string): Promise<void> {
      const steps = POSTGRES_STEPS as PostgresStep[];
      steps.push({ sql: "alter table message add column region text;", oldest: 1 });
      await open(schema).finally(() => steps.pop());
    }

    it("restored into a cluster with fewer transactions tells what has changed, and that once", async () => {
      const schema = newSchema();
      const store = await open(schema);
      const [changed, still] = [destinationId("changed"), destinationId("still")];
      await accept(store, changed, still);
      await store.board!.write([{ lane: changed, revision: 1, holds: [] }]);
      await store.lanes({ limit: 100 }, NOW);
      await pool().query(`update ${schema}.lane_total set changed_by = ${OTHER_CLUSTER}`);
      await pool().query(`update ${schema}.board_lane set changed_by = '${OTHER_CLUSTER}'`);

      const looks = looksAt(store);
      await looks();
      await looks();
      expect(await looks()).toEqual([]);
      await accept(store, changed);
      expect(await looks()).toEqual([changed]);
      const { next: mending } = await beat(store);
      const { next: mended } = await beat(store, mending);
      const { rows, next } = await beat(store, mended);
      expect(rows).toEqual([]);
      await store.board!.write([{ lane: changed, revision: 2, holds: [] }]);
      expect(lanesOf(await beat(store, next))).toEqual([changed]);
    });

    it("has a primary key in each table, as services ask that copy it row by row", async () => {
      const schema = newSchema();
      await open(schema);
      const { rows } = await pool().query(
        `select relname from pg_class c where relkind = 'r' and relnamespace = to_regnamespace('${schema}')
          and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
      );
      expect(rows).toEqual([]);
    });

    it("tells all of its board to a process that was connected to another cluster", async () => {
      const store = await open(newSchema());
      await store.board!.write([{ lane: destinationId("one"), revision: 1, holds: [] }]);
      const { next } = await beat(store);
      const ofOther = next.replace(/^\d+-.*$/u, `1-${OTHER_CLUSTER}:${OTHER_CLUSTER}:`);
      expect(ofOther).not.toBe(next);
      const news = await beat(store, ofOther);
      expect(lanesOf(news)).toEqual(["one"]);
      expect(lanesOf(await beat(store, news.next))).toEqual([]);
    });

    it("whose rows were copied without the sequences gives no number twice", async () => {
      const schema = newSchema();
      const store = await open(schema);
      await accept(store, "one", "other");
      await store.claim(
        { lanes: [{ lane: destinationId("one"), limit: 1 }], token: leaseToken("t"), leaseMs: LEASE_MS },
        NOW,
      );
      for (const sequence of ["block", "source_id_seq", "lane_id_seq", "lease_id_seq"])
        await pool().query(`alter sequence ${schema}.${sequence} restart`);
      const copy = await open(schema);
      expect(await accept(copy, "one", "a new one")).toEqual(["stored", "stored"]);
      expect(await deliverAll(copy, "a new one")).toBe(1);
      expect((await copy.counts()).map(({ accepted }) => accepted)).toEqual([4]);
    });

    it("serves a role that only has rights in its schema", async () => {
      const schema = newSchema();
      await open(schema);
      const role = `guest_of_${schema}`;
      for (const grant of [
        `create role ${role} login`,
        `grant usage on schema ${schema} to ${role}`,
        `grant all on all tables in schema ${schema} to ${role}`,
        `grant all on all sequences in schema ${schema} to ${role}`,
      ])
        await pool().query(grant);
      const store = await open(schema, server().pool(2, { user: role, database: "postgres" }));
      expect(await accept(store, "one", "one")).toEqual(["stored", "stored"]);
      expect(await deliverAll(store, "one")).toBe(2);
      const before = epochMs(NOW + 1);
      expect(await store.sweep({ deliveredBefore: before, deadBefore: before, limit: 10 }, before)).toBe(2);
      expect((await beat(store)).processes).toHaveLength(1);
    });

    it("gets a further step once no commit is under way", async () => {
      const schema = newSchema();
      await open(schema);
      await inTransaction(`select ${schema}.enter_shared()`, async (end) => {
        const opened = openNext(schema);
        await expect.poll(locksAwaited).toBe(1);
        await end();
        await opened;
      });
    });

    it("refuses a further step while a dump reads its tables, and takes calls on", async () => {
      const schema = newSchema();
      const store = await open(schema);
      await inTransaction(`lock table ${schema}.message in access share mode`, async () => {
        await expect(openNext(schema)).rejects.toMatchObject({
          message: expect.stringMatching(/another transaction holds its tables.*55P03/u) as string,
        });
        expect(await accept(store, "one")).toEqual(["stored"]);
      });
    });

    it("refuses what a lock holds up, in the database too, and goes on afterwards", async () => {
      const schema = newSchema();
      const store = await open(schema);
      await inTransaction(`lock table ${schema}.waiting in access exclusive mode`, async () => {
        await expect(accept(store, "one")).rejects.toMatchObject({ code: "busy" });
        expect(await locksAwaited()).toBe(0);
      });
      expect(await accept(store, "one")).toEqual(["stored"]);
    });
  });
}
