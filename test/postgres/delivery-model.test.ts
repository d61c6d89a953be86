// The PostgreSQL store answers as the model of a store does, on each version that is installed.

import { describe, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { deliveryModels } from "./store-suites.js";
import { startForSuite } from "./suite-server.js";

const MODEL_RUNS = 10;
/** On another version than that of the cases: what differs between two versions shows in few runs. */
const FURTHER_MODEL_RUNS = 4;

for (const [place, installed] of installedServers().entries()) {
  describe(`the store on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);
    for (const { name, run } of deliveryModels(pool, place === 0 ? MODEL_RUNS : FURTHER_MODEL_RUNS)) it(name, run);
  });
}
