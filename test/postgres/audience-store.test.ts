// The PostgreSQL store of audiences fulfils the contract of the audience port, on real servers, with a pool that is handed in.

import { openPostgresAudienceStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { audienceStoreContract } from "@postrider/testkit/contracts";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { TestPool } from "../programs/postgres/driver.js";
import { gatedPool, whenServerIsDone } from "./gated-pool.js";
import { installedServers, type Running, startServer } from "./servers.js";

const SYSTEM = createSystemClock();

for (const installed of installedServers()) {
  describe(`the store of audiences on ${installed.name}`, () => {
    let server: Running | undefined;
    let pool: TestPool | undefined;
    beforeAll(async () => {
      server = await startServer(installed);
      pool = server.pool();
    });
    afterAll(() => server?.stop());

    const open = (over: PostgresPool) => openPostgresAudienceStore({ pool: over, clock: SYSTEM });
    const cases = audienceStoreContract({
      open: () => open(pool as TestPool),
      openGated: async (gate) => {
        await whenServerIsDone();
        return open(gatedPool(pool as TestPool, gate));
      },
      supports: {
        ...{ restart: true, sharing: true, interleaving: true, faults: true },
        full: { reason: "the disk of a server is filled by more than one store" },
      },
    });
    for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
  });
}
