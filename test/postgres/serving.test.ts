// The real server with its deliveries in a database: several of them deliver what any of them has accepted, also after one was
// killed, and act as one towards a receiver. What cannot be used is refused in words.

import { describe, expect, it } from "vitest";
import { createReceiver, pause, until } from "../end-to-end/receiver.js";
import { destination, stats, track } from "../end-to-end/scene.js";
import { runProcess, serve } from "../end-to-end/server-process.js";
import { expectAllDelivered, serveMany, startLoad, writeFleetConfig } from "./fleet.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const RATE = 20;

for (const installed of installedServers().slice(0, 1)) {
  describe(`servers on ${installed.name}`, () => {
    const { server, pool, newDatabase } = startForSuite(installed, { synced: true });

    it("deliver what any of them has accepted, and all tell the same numbers", async () => {
      const receiver = await createReceiver(503);
      const config = writeFleetConfig(await newDatabase(), [destination([receiver.url])]);
      const [one, two, three] = await serveMany(config, 3);
      for (let call = 0; call < 5; call += 1)
        expect(await track(one!.url, { messageId: `m${String(call)}` })).toBe(200);
      expect((await one!.end()).code).toBe(0);
      receiver.behave(200);
      await expect.poll(() => stats(two!.url)).toMatchObject({ accepted: 5, delivered: 5 });
      expect(await stats(three!.url)).toMatchObject({ accepted: 5, delivered: 5 });
    });

    it("lose nothing that was answered, and settle nothing twice, when they are killed under load", async () => {
      const receiver = await createReceiver(200);
      const config = writeFleetConfig(await newDatabase(), [destination([receiver.url])]);
      const servers = [...(await serveMany(config, 3))];
      const load = startLoad(() => servers.map(({ url }) => url), 6);
      for (let kill = 0; kill < 4; kill += 1) {
        const wanted = load.accepted.length + 100;
        await until(() => load.accepted.length >= wanted, "100 accepted calls");
        await servers[kill % 3]!.kill();
        servers[kill % 3] = await serve(config);
      }
      await load.stop();
      await expectAllDelivered(
        servers.map(({ url }) => url),
        receiver,
        load,
      );
    });

    it("may only take calls, or only deliver", async () => {
      const receiver = await createReceiver(200);
      const config = writeFleetConfig(await newDatabase(), [destination([receiver.url])]);
      const taker = await serve(config, { words: ["--accept"] });
      expect(await track(taker.url, { messageId: "m1" })).toBe(200);
      await pause(3_000);
      expect(await stats(taker.url)).toMatchObject({ waiting: 1, delivered: 0 });
      const deliverer = await serve(config, { words: ["--deliver"] });
      expect(await track(deliverer.url, { messageId: "m2" })).toBe(503);
      await expect.poll(() => stats(taker.url)).toMatchObject({ accepted: 1, delivered: 1 });
      expect(receiver.requests.map(({ message }) => message["messageId"])).toEqual(["m1"]);
    });

    it("keep a rate limit in sum", async () => {
      const receiver = await createReceiver(200);
      const limited = { ...destination([receiver.url]), rateLimit: { perSecond: RATE } };
      const servers = await serveMany(writeFleetConfig(await newDatabase(), [limited]), 3);
      const load = startLoad(() => servers.map(({ url }) => url), 6);
      await until(() => load.accepted.length >= RATE * 20, "calls for twenty seconds");
      await load.stop();
      await pause(2_000);
      const before = receiver.requests.length;
      const startedAt = performance.now();
      await pause(10_000);
      const perSecond = ((receiver.requests.length - before) * 1_000) / (performance.now() - startedAt);
      console.log(`${perSecond.toFixed(1)} requests a second of ${String(RATE)}`);
      expect(perSecond).toBeLessThan(RATE * 1.5);
    });

    it("do not start on a database that cannot be used, and say why", async () => {
      const config = writeFleetConfig(server().url("nowhere"), []);
      const program = runProcess(["serve", "--config", config]);
      expect((await program.exit).code).toBe(1);
      expect(program.err.join("\n")).toMatch(
        /store-unusable.*postgres:\/\/postgres@localhost\/nowhere.*there is no such database/u,
      );
    });

    it("are told of by doctor, with calls that wait in the outbox for too long", async () => {
      const database = await newDatabase();
      const config = writeFleetConfig(database, []);
      const { url } = await serve(config);
      await server()
        .pool(1, { user: "postgres", database: new URL(database).pathname.slice(1) })
        .query(
          "insert into postrider.outbox (source, call, written_at) values ('unknown', '{}', now() - interval '10 days')",
        );
      const program = runProcess(["doctor", "--url", url, "--config", config]);
      expect((await program.exit).code).toBe(0);
      const found = program.out.join("\n");
      expect(found).toMatch(/^ok {3}store: postgres:\/\/.* is PostgreSQL/mu);
      expect(found).toMatch(/^open store: no standby is synchronous/mu);
      expect(found).toMatch(
        /^open store: calls of hosts that wait in its outbox: 1, the first for 8[67]\d{4} s; look whether/mu,
      );
    });

    it("are told of by check, which changes nothing", async () => {
      const url = await newDatabase();
      const config = writeFleetConfig(`${url}&connections=5`, []);
      const program = runProcess(["check", "--deep", "--json", "--config", config]);
      await program.exit;
      const found = program.out.map((line) => JSON.parse(line) as { readonly code: string; readonly message: string });
      const codes = found.map(({ code }) => code);
      expect(found.find(({ code }) => code === "database-connections")?.message).toMatch(
        /up to 5 of the 57 connections/u,
      );
      expect(codes).toContain("store-answers");
      expect(codes).toContain("database-alone");
      const { rows } = await pool().query("select count(*)::int as made from pg_namespace where nspname = 'postrider'");
      expect(rows).toEqual([{ made: 0 }]);
    });
  });
}
