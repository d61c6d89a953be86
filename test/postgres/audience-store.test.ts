// The PostgreSQL store of audiences fulfils the contract of the audience port, on real servers, with a pool that is handed in.

import { openPostgresAudienceStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { audienceStoreContract } from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { gatedPool, whenServerIsDone } from "./gated-pool.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const SYSTEM = createSystemClock();

for (const installed of installedServers()) {
  describe(`the store of audiences on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);

    const open = (over: PostgresPool) => openPostgresAudienceStore({ pool: over, clock: SYSTEM });
    const cases = audienceStoreContract({
      open: () => open(pool()),
      openGated: async (gate) => {
        await whenServerIsDone();
        return open(gatedPool(pool(), gate));
      },
      supports: {
        ...{ restart: true, sharing: true, interleaving: true, faults: true },
        full: { reason: "the disk of a server is filled by more than one store" },
      },
    });
    for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
  });
}
