// The PostgreSQL store of audiences fulfils the contract of the audience port, on real servers, with a pool that is handed in.

import { describe, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { audienceCases } from "./store-suites.js";
import { startForSuite } from "./suite-server.js";

for (const installed of installedServers()) {
  describe(`the store of audiences on ${installed.name}`, () => {
    for (const { name, skipped, run } of audienceCases(startForSuite(installed).pool))
      it.skipIf(skipped !== undefined)(name, run);
  });
}
