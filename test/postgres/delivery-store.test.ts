// The PostgreSQL store fulfils the contract of the storage port, on a real server, with a pool that is handed in. Its models are
// in delivery-model.test.ts: both take minutes.

import { describe, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { deliveryCases } from "./store-suites.js";
import { startForSuite } from "./suite-server.js";

// The model finds what differs on another version, so that one server is enough.
for (const installed of installedServers().slice(0, 1)) {
  describe(`the store on ${installed.name}`, () => {
    for (const { name, skipped, run } of deliveryCases(startForSuite(installed).pool))
      it.skipIf(skipped !== undefined)(name, run);
  });
}
