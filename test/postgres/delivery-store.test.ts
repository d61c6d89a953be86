// The PostgreSQL store fulfils the contract of the storage port, on real servers, with a pool that is handed in.

import { describe, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { deliveryCases, deliveryModels } from "./store-suites.js";
import { startForSuite } from "./suite-server.js";

const MODEL_RUNS = 10;
/** On another version than that of the cases: what differs between two versions shows in few runs. */
const FURTHER_MODEL_RUNS = 4;

for (const [place, installed] of installedServers().entries()) {
  describe(`the store on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);
    // The cases take minutes, so that they are played on one server; the model finds what differs on another version.
    for (const { name, skipped, run } of place === 0 ? deliveryCases(pool) : [])
      it.skipIf(skipped !== undefined)(name, run);
    for (const { name, run } of deliveryModels(pool, place === 0 ? MODEL_RUNS : FURTHER_MODEL_RUNS)) it(name, run);
  });
}
