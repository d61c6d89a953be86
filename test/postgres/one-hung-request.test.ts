// One request to the database that hangs does not stop the calls of others: over a connection that is silent, behind a lock that a stranger holds,
// asked by someone who looks. And a pool whose connections lead to a server that takes no writes recovers by itself.

import { get } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../canary.js";
import { createReceiver, pause, type Receiver } from "../end-to-end/receiver.js";
import { destination, track } from "../end-to-end/scene.js";
import { serve } from "../end-to-end/server-process.js";
import type { TestPool } from "../programs/postgres/driver.js";
import { openPool } from "../programs/postgres/driver.js";
import { mayReplicate, startReplicated } from "../programs/postgres/replicated.js";
import { installedServers } from "../programs/postgres/servers.js";
import { MAX_COMMITS } from "../../packages/relay/src/limits.js";
import { expectAllDelivered, writeFleetConfig } from "./fleet.js";
import { startForSuite } from "./suite-server.js";

/** How long something hangs: longer than a store may be silent before it counts as stalled, and shorter than any request may take. */
const HANGS_MS = 8_000;
/** What may be lost until a hung request is given up. */
const FOUND_WITHIN_MS = 3_000;
/** Within which time a database that takes no writes turns health red. */
const HEALTH_WITHIN_MS = 10_000;
const EVERY_MS = 50;

interface Answered {
  /** Since when the fault was there when the call was made, in milliseconds; less than 0 before it. */
  readonly at: number;
  readonly status: number;
}

interface Steady {
  readonly accepted: string[];
  /** From now on, times count. */
  readonly begin: () => void;
  readonly stop: () => Promise<{ readonly calls: readonly Answered[]; readonly health: readonly Answered[] }>;
}

/** Calls at a steady rate, whatever becomes of the ones before, and looks at health beside them. */
function startCalls(url: string): Steady {
  const accepted: string[] = [];
  const [calls, health]: [Promise<Answered>[], Promise<Answered>[]] = [[], []];
  let begunAt = Infinity;
  let made = 0;
  const timer = setInterval(() => {
    const at = performance.now() - begunAt;
    const messageId = `m${String((made += 1))}`;
    const answered = track(url, { messageId }).then((status) => {
      if (status === 200) accepted.push(messageId);
      return { at, status };
    });
    calls.push(answered);
    health.push(fetch(`${url}/healthz`).then(({ status }) => ({ at, status })));
  }, EVERY_MS);
  onTestFinished(() => {
    clearInterval(timer);
  });
  return {
    accepted,
    begin: (): void => {
      begunAt = performance.now();
    },
    stop: async () => {
      clearInterval(timer);
      return { calls: await Promise.all(calls), health: await Promise.all(health) };
    },
  };
}

/** A question of the API, on a new connection. */
function askApi(url: string, method: "GET" | "POST", path: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return new Promise((resolve, reject) => {
    const request = get(`${url}/api/${path}`, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once("error", reject);
  });
}

for (const installed of installedServers().slice(0, 1)) {
  describe(`a server on ${installed.name}`, () => {
    const { newDatabase } = startForSuite(installed);

    interface Scene {
      readonly url: string;
      readonly database: TestPool;
      readonly receiver: Receiver;
      readonly calls: Steady;
    }

    async function createScene(): Promise<Scene> {
      const store = await newDatabase();
      const database = openPool(store);
      onTestFinished(() => database.end());
      const receiver = await createReceiver(200);
      const { url } = await serve(writeFleetConfig(store, [destination([receiver.url])]));
      const calls = startCalls(url);
      await receiver.count(20);
      return { url, database, receiver, calls };
    }

    /** Expects that no call that was made later than the given time after the fault was turned away, and that nothing is lost. */
    async function expectCallsGoOn({ url, receiver, calls }: Scene, afterMs = FOUND_WITHIN_MS): Promise<void> {
      const { calls: answered, health } = await calls.stop();
      const turnedAway = answered.filter(({ status }) => status !== 200);
      const late = turnedAway.filter(({ at }) => at >= 0).map(({ at }) => at.toFixed(0));
      console.log(`${String(answered.length)} calls, turned away of those after the fault: ${late.join(" ")}`);
      expect(turnedAway.filter(({ at }) => at > afterMs)).toEqual([]);
      expect(health.filter(({ at, status }) => at > afterMs && status !== 200)).toEqual([]);
      await expectAllDelivered([url], receiver, calls);
    }

    /** The processes of the database that serve this server, the one that committed last first. */
    async function backends({ database }: Scene): Promise<readonly number[]> {
      const { rows } = await database.query(
        `select pid from pg_stat_activity where application_name = 'postrider' and datname = current_database()
          order by query like '%commit(%' desc, state_change desc`,
      );
      return rows.map(({ pid }) => Number(pid));
    }

    async function whileStopped(pids: readonly number[], work: () => Promise<void>): Promise<void> {
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      try {
        await work();
      } finally {
        for (const pid of pids) process.kill(pid, "SIGCONT");
      }
    }

    /** Holds a lock of a stranger on a table. */
    async function whileLocked({ database }: Scene, table: string, work: () => Promise<void>): Promise<void> {
      const client = await database.connect();
      try {
        await client.query({ text: "begin" });
        await client.query({ text: `lock table postrider.${table} in access exclusive mode` });
        await work();
        await client.query({ text: "rollback" });
      } finally {
        client.release();
      }
    }

    it("goes on while the connection that has committed last falls silent", async () => {
      const scene = await createScene();
      const [last] = await backends(scene);
      scene.calls.begin();
      await whileStopped([last!], () => pause(HANGS_MS));
      await expectCallsGoOn(scene);
    });

    it("goes on while all of its connections fall silent", async () => {
      const scene = await createScene();
      const all = await backends(scene);
      scene.calls.begin();
      await whileStopped(all, () => pause(HANGS_MS));
      await expectCallsGoOn(scene);
    });

    it("goes on while an old leaf is locked and a viewer lists deliveries, who hears within its time", async () => {
      const scene = await createScene();
      scene.calls.begin();
      await whileLocked(scene, "ended_3", async () => {
        const listed = Array.from({ length: 12 }, () => askApi(scene.url, "GET", "deliveries?limit=10"));
        expect(new Set(await Promise.all(listed))).toEqual(new Set([503]));
        await pause(1_000);
        const { rows } = await scene.database.query(
          "select 1 from pg_stat_activity where application_name = 'postrider' and wait_event_type = 'Lock'",
        );
        expect(rows).toEqual([]);
      });
      expect(await askApi(scene.url, "GET", "deliveries?limit=10")).toBe(200);
      await expectCallsGoOn(scene, 0);
    });

    it("goes on while the table of records is locked and an operator pauses a lane", async () => {
      const scene = await createScene();
      scene.calls.begin();
      let paused = Promise.resolve(0);
      await whileLocked(scene, "record", async () => {
        paused = askApi(scene.url, "POST", "lanes/crm/pause");
        await pause(HANGS_MS);
      });
      expect([200, 503]).toContain(await paused);
      expect(await askApi(scene.url, "POST", "lanes/crm/resume")).toBe(200);
      await expectCallsGoOn(scene, 0);
    });

    it("says so while commits wait for a lock, has few of them wait in the database, and goes on after it", async () => {
      const scene = await createScene();
      await whileLocked(scene, "message", async () => {
        await expect
          .poll(async () => (await fetch(`${scene.url}/healthz`)).json())
          .toEqual({ healthy: false, reason: "stalled" });
        const { rows } = await scene.database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%commit(%'`,
        );
        expect(rows.length).toBeLessThanOrEqual(MAX_COMMITS);
      });
      scene.calls.begin();
      await pause(FOUND_WITHIN_MS + 2_000);
      await expectCallsGoOn(scene);
    });

    it("goes on once the database takes writes again, after sessions that were read-only", async () => {
      const scene = await createScene();
      const { rows } = await scene.database.query("select current_database() as name");
      const name = String(rows[0]?.["name"]);
      await scene.database.query(`alter database ${name} set default_transaction_read_only = on`);
      for (const pid of await backends(scene)) await scene.database.query("select pg_terminate_backend($1)", [pid]);
      await pause(3_000);
      const admin = await scene.database.connect();
      await admin.query({ text: "set default_transaction_read_only = off" });
      await admin.query({ text: `alter database ${name} reset default_transaction_read_only` });
      admin.release(true);
      scene.calls.begin();
      await pause(HANGS_MS);
      const { calls: answered } = await scene.calls.stop();
      expect(answered.filter(({ at, status }) => at > FOUND_WITHIN_MS && status !== 200)).toEqual([]);
      await expectAllDelivered([scene.url], scene.receiver, scene.calls);
    });

    it("turns health red while most of its commits are refused, though it answers reads", async () => {
      const scene = await createScene();
      const { rows } = await scene.database.query("select current_database() as name");
      await scene.database.query(`alter database ${String(rows[0]?.["name"])} set default_transaction_read_only = on`);
      for (const pid of await backends(scene)) await scene.database.query("select pg_terminate_backend($1)", [pid]);
      scene.calls.begin();
      await pause(HEALTH_WITHIN_MS + 3_000);
      const { health } = await scene.calls.stop();
      expect(health.filter(({ at, status }) => at > HEALTH_WITHIN_MS && status !== 503)).toEqual([]);
    });
  });
}

for (const installed of installedServers().filter(mayReplicate).slice(0, 1)) {
  describe(`a server on a pair of ${installed.name}`, () => {
    it("goes on once the name leads to the new primary, though the old one answers reads", async () => {
      const pair = await startReplicated(installed);
      onTestFinished(() => pair.stop());
      const receiver = await createReceiver(200);
      const { url } = await serve(writeFleetConfig(pair.url(), [destination([receiver.url])]));
      const calls = startCalls(url);
      await receiver.count(20);
      await pair.switchOver(() => pause(5_000));
      calls.begin();
      await pause(HANGS_MS);
      const { calls: answered, health } = await calls.stop();
      expect(answered.filter(({ at, status }) => at > FOUND_WITHIN_MS && status !== 200)).toEqual([]);
      expect(health.filter(({ at, status }) => at > HEALTH_WITHIN_MS && status !== 200)).toEqual([]);
      await expectAllDelivered([url], receiver, calls);
    });
  });
}
