// Servers under load that are replaced one after the other by those of the next version, and back: behind a balancer that leaves out a
// server before it is stopped, callers notice nothing.

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createReceiver, pause, until } from "../end-to-end/receiver.js";
import { destination } from "../end-to-end/scene.js";
import { serve, type ServerProcess } from "../end-to-end/server-process.js";
import { openPool } from "../programs/postgres/driver.js";
import { installedServers } from "../programs/postgres/servers.js";
import { expectAllDelivered, serveMany, startLoad, writeFleetConfig } from "./fleet.js";
import { startForSuite } from "./suite-server.js";

const NEXT = { NODE_OPTIONS: `--import ${fileURLToPath(new URL("programs/next-step.js", import.meta.url))}` };
const CALLS_BETWEEN = 100;
/** After a server is left out, for the calls that are on their way to it. */
const DRAINED_MS = 500;

for (const installed of installedServers().slice(0, 1)) {
  describe(`servers on ${installed.name} under load`, () => {
    const { newDatabase } = startForSuite(installed);

    it("become those of the next version one by one, and those of this one again, and callers hear no error", async () => {
      const receiver = await createReceiver(200);
      const store = await newDatabase();
      const config = writeFleetConfig(store, [destination([receiver.url])]);
      const servers = [...(await serveMany(config, 3))];
      let inUse: readonly ServerProcess[] = servers;
      const load = startLoad(() => inUse.map(({ url }) => url), 6);
      const pool = openPool(store);
      const steps = async (): Promise<unknown> =>
        (await pool.query("select max(step) as step from postrider.version")).rows[0]?.["step"];

      async function replaceAll(env: Readonly<Record<string, string>>): Promise<void> {
        for (const place of servers.keys()) {
          const wanted = load.accepted.length + CALLS_BETWEEN;
          await until(() => load.accepted.length >= wanted, "further calls");
          inUse = servers.filter((_, index) => index !== place);
          await pause(DRAINED_MS);
          expect((await servers[place]!.end()).code).toBe(0);
          servers[place] = await serve(config, { env });
          inUse = [...servers];
        }
      }

      await replaceAll(NEXT);
      expect(await steps()).toBe(2);
      await replaceAll({});
      expect(await steps()).toBe(2);
      await load.stop();
      await pool.end();
      expect(load.refused()).toBe(0);
      await expectAllDelivered(
        servers.map(({ url }) => url),
        receiver,
        load,
      );
    });
  });
}
