// Calls in transactions of the host, on real servers: a commit delivers them and a rollback does not, also when a process is killed in between.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type RunStatement, sourceId } from "@postrider/core";
import { openPostgresStore, type PostgresPool, postgresStores } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { createPostrider, type Postrider } from "postrider";
import { describe, expect, it, onTestFinished } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { createReceiver, type Receiver } from "../end-to-end/receiver.js";
import { SHORT_LEASE } from "../end-to-end/scene.js";
import { openPool, type TestPool } from "../programs/postgres/driver.js";
import { installedServers } from "../programs/postgres/servers.js";
import { cutPool, type CutPlace } from "./cut-pool.js";
import { startForSuite } from "./suite-server.js";

for (const installed of installedServers().slice(0, 1)) {
  describe(`the outbox on ${installed.name}`, () => {
    const { newDatabase } = startForSuite(installed);

    /** A new database, with a table of the host. */
    async function newHost(): Promise<{ readonly url: string; readonly hosts: TestPool }> {
      const url = await newDatabase();
      const hosts = openPool(url);
      onTestFinished(() => hosts.end());
      await hosts.query("create table orders (id text primary key)");
      return { url, hosts };
    }

    it("delivers what a transaction commits, and nothing of what it rolls back", async () => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const postrider = await embed(hosts, receiver);
      await inTransaction(hosts, "rollback", (run) => order(postrider, run, "gone"));
      await inTransaction(hosts, "commit", async (run) => {
        expect(await order(postrider, run, "kept")).toEqual({ kind: "written", messageId: "kept" });
      });
      await receiver.count(1);
      expect(await ordersOf(hosts)).toEqual(["kept"]);
      await expectEmpty(hosts);
      expect(messagesOf(receiver)).toEqual(["kept"]);
      expect(receiver.requests[0]?.message).toMatchObject({ type: "track", event: "Order Completed", userId: "u1" });
    });

    it("delivers once what two hosts write in crossing order, neither of which waits for the other", async () => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const postrider = await embed(hosts, receiver);
      await inTransaction(hosts, "commit", (one) =>
        inTransaction(hosts, "commit", async (other) => {
          await call(postrider, one, "m1");
          await call(postrider, other, "m2");
          await call(postrider, one, "m2");
          await call(postrider, other, "m1");
        }),
      );
      await receiver.count(2);
      await expectEmpty(hosts);
      expect(messagesOf(receiver).sort()).toEqual(["m1", "m2"]);
      expect((await postrider.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 2, duplicates: 2 });
    });

    it.each([
      ["begin", 0],
      ["insert into orders", 1],
      ["insert into outbox", 2],
      ["commit", 3],
      ["what follows the commit", 4],
    ])("delivers an order if and only if it is stored, when its host is killed before: %s", async (_, statements) => {
      const { url, hosts } = await newHost();
      const receiver = await createReceiver(200);
      await killHostAfter(statements, url, receiver);
      const postrider = await embed(hosts, receiver);
      const orders = await ordersOf(hosts);
      expect(orders).toEqual(statements === 4 ? ["order-1"] : []);
      await expectEmpty(hosts);
      await settled(postrider);
      expect(messagesOf(receiver)).toEqual(orders);
    });

    it.each<CutPlace>([
      { statement: "read_outbox(", at: "before" },
      { statement: "read_outbox(", at: "after" },
      { statement: "commit(", at: "before" },
      { statement: "commit(", at: "after" },
      { statement: "delete from", at: "before" },
      { statement: "delete from", at: "after" },
    ])("accepts a call once, when the process that takes it ends $at: $statement", async (place) => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const writer = await embed(hosts, receiver);
      await writer.close();
      await inTransaction(hosts, "commit", (run) => call(writer, run, "m1"));
      const cut = cutPool(hosts, place);
      await embed(cut.pool, receiver);
      await cut.happened;
      const heir = await embed(hosts, receiver);
      await receiver.count(1);
      await expectEmpty(hosts);
      await settled(heir);
      expect((await heir.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 1 });
      expect(new Set(messagesOf(receiver))).toEqual(new Set(["m1"]));
    });

    it("keeps the calls of a source that the settings do not have, and delivers them once they do", async () => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const waits: unknown[] = [];
      const postrider = await embed(hosts, receiver);
      postrider.observe((event) => event.kind === "outbox-waits" && waits.push([event.source, event.calls]));
      await postrider.configure(settings(receiver, "other"));
      await hosts.query("insert into postrider.outbox (source, call) values ($1, $2)", [
        '"shop"',
        JSON.stringify({ type: "track", messageId: "m1", event: "Early", userId: "u1" }),
      ]);
      await expect.poll(() => waits).toEqual([["shop", 1]]);
      await postrider.configure(settings(receiver, "shop"));
      await receiver.count(1);
      await expectEmpty(hosts);
      expect(messagesOf(receiver)).toEqual(["m1"]);
    });

    it("reads past the calls of sources that are left out without looking at them, however many they are", async () => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const postrider = await embed(hosts, receiver);
      await postrider.close();
      await hosts.query(`insert into postrider.outbox (source, call)
        select case n % 3 when 0 then '"shopp"' when 1 then 'by hand' else '"a\u00dcb"' end, '{}' from generate_series(1, 30000) n`);
      await hosts.query("insert into postrider.outbox (source, call) values ('\"shop\"', '{}'), ('shop', '{}')");
      const { outbox } = await openPostgresStore({ pool: hosts, clock: createSystemClock() });
      const except = ["shopp", "by hand", "aÜb"].map(sourceId);
      expect((await outbox!.read({ limit: 10, except })).map(({ source }) => source)).toEqual(["shop", "shop"]);
      expect(await Promise.all(except.map((source) => outbox!.count({ source, limit: 9_999 })))).toEqual([
        9_999, 9_999, 9_999,
      ]);
      expect(await outbox!.count({ source: sourceId("shop"), limit: 10 })).toBe(2);
      expect((await outbox!.read({ limit: 5 })).map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5]);

      expect(await rowsLookedAt(hosts, ['"shopp"', "by hand", '"aÜb"'])).toBeLessThan(50);
    });

    it("is not held up by a hundred thousand calls of a source that the settings do not have", async () => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const waits: unknown[] = [];
      const postrider = await embed(hosts, receiver);
      postrider.observe((event) => event.kind === "outbox-waits" && waits.push([event.source, event.calls]));
      await hosts.query(
        "insert into postrider.outbox (source, call) select 'misspelt', '{}' from generate_series(1, 100000) n",
      );
      await expect.poll(() => waits).toEqual([["misspelt", 10_000]]);
      const reads = await readsOf(hosts);
      await inTransaction(hosts, "commit", (run) => call(postrider, run, "m1"));
      await receiver.count(1);
      // The walk of a table of this length would take 400 of them.
      expect((await readsOf(hosts)) - reads).toBeLessThan(40);
    });

    it("refuses what no relay would accept before it is written, and removes what was written by hand and is no call", async () => {
      const { hosts } = await newHost();
      const receiver = await createReceiver(200);
      const postrider = await embed(hosts, receiver);
      await inTransaction(hosts, "commit", async (run) => {
        expect(await postrider.with(run).track("shop", { userId: "u1" } as never)).toMatchObject({ kind: "refused" });
      });
      await hosts.query("insert into postrider.outbox (source, call) values ('shop', 'no json')");
      await expectEmpty(hosts);
      expect((await postrider.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 0, refused: 1 });
    });
  });
}

function settings(receiver: Receiver, source: string): object {
  return {
    sources: [{ id: source, writeKey: WRITE_KEY }],
    destinations: [{ id: "crm", sources: [source], endpoints: [{ url: receiver.url }] }],
    delivery: SHORT_LEASE,
    network: { allow: ["127.0.0.0/8"] },
  };
}

async function embed(pool: PostgresPool, receiver: Receiver): Promise<Postrider> {
  const logger = { log: (): void => undefined };
  const postrider = await createPostrider({
    ...settings(receiver, "shop"),
    store: postgresStores(pool),
    logger,
    closeMs: 100,
  });
  onTestFinished(() => postrider.close());
  return postrider;
}

async function inTransaction(
  hosts: TestPool,
  end: "commit" | "rollback",
  work: (run: RunStatement) => Promise<unknown>,
): Promise<void> {
  const client = await hosts.connect();
  const run: RunStatement = (text, values) => client.query({ text, values });
  try {
    await run("begin", []);
    await work(run);
    await run(end, []);
  } finally {
    client.release();
  }
}

function call(postrider: Postrider, run: RunStatement, messageId: string): Promise<unknown> {
  return postrider.with(run).track("shop", { messageId, userId: "u1", event: "Order Completed" });
}

/** An order, and the call that tells of it. */
async function order(postrider: Postrider, run: RunStatement, id: string): Promise<unknown> {
  await run("insert into orders (id) values ($1)", [id]);
  return call(postrider, run, id);
}

async function ordersOf(hosts: TestPool): Promise<readonly unknown[]> {
  return (await hosts.query("select id from orders order by id")).rows.map(({ id }) => id);
}

async function expectEmpty(hosts: TestPool): Promise<void> {
  await expect.poll(async () => (await hosts.query("select 1 from postrider.outbox")).rows).toEqual([]);
}

/** How many rows of the outbox a page looks at that leaves out these texts of sources. */
async function rowsLookedAt(hosts: TestPool, except: readonly string[]): Promise<number> {
  const client = await hosts.connect();
  const looked = async (): Promise<number> => {
    const { rows } = await client.query({
      text: `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as looked
        from pg_stat_xact_user_tables where relname = 'outbox'`,
    });
    return Number((rows[0] as { readonly looked: string }).looked);
  };
  try {
    // What the session has counted before is counted until it was told.
    await client.query({ text: "begin" });
    const before = await looked();
    await client.query({ text: "select * from postrider.read_outbox(0::int2, 0, 250, $1)", values: [except] });
    const after = await looked();
    await client.query({ text: "rollback" });
    return after - before;
  } finally {
    client.release();
  }
}

/** How often the outbox was read. */
async function readsOf(hosts: TestPool): Promise<number> {
  const { rows } = await hosts.query(
    "select coalesce(sum(idx_scan), 0)::int as reads from pg_stat_user_indexes where indexrelname = 'outbox_source'",
  );
  return Number(rows[0]?.["reads"]);
}

async function settled({ relay }: Postrider): Promise<void> {
  await expect
    .poll(async () => (await relay.stats())._unsafeUnwrap())
    .toMatchObject({ waiting: 0, claimed: 0, dead: 0 });
}

function messagesOf(receiver: Receiver): string[] {
  return receiver.requests.map(({ message }) => String(message["messageId"]));
}

/** Runs the host, lets it send this many statements, and kills it before the next one. */
async function killHostAfter(statements: number, database: string, receiver: Receiver): Promise<void> {
  const program = new URL("programs/outbox-host.js", import.meta.url).pathname;
  const host = spawn(process.execPath, [program, database, receiver.url], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => host.once("close", resolve));
  onTestFinished(() => void host.kill("SIGKILL"));
  let sent = 0;
  for await (const line of createInterface(host.stdout)) {
    if (!line.startsWith("next: ")) continue;
    if (sent === statements) break;
    sent += 1;
    host.stdin.write("go\n");
  }
  host.kill("SIGKILL");
  await ended;
}
