// `npm run soak -- versions`: both stores on each PostgreSQL that is there, or that POSTRIDER_POSTGRES names, directly and through
// PgBouncer in transaction mode.

import { describe, it } from "vitest";
import { mayPool } from "../../programs/postgres/pgbouncer.js";
import { installedServers } from "../../programs/postgres/servers.js";
import { audienceCases, deliveryCases, deliveryModels } from "../store-suites.js";
import { startForSuite } from "../suite-server.js";

const MODEL_RUNS = 10;

for (const installed of installedServers()) {
  for (const pooled of mayPool() ? [false, true] : [false]) {
    describe(`the stores on ${installed.name}${pooled ? " through PgBouncer" : ""}`, () => {
      const { pool } = startForSuite(installed, { pooled });
      const cases = [...deliveryCases(pool), ...deliveryModels(pool, MODEL_RUNS), ...audienceCases(pool)];
      for (const { name, skipped, run } of cases) it.skipIf(skipped !== undefined)(name, run);
    });
  }
}
