// The PostgreSQL store fulfils the contract of the storage port, on real servers, with a pool that is handed in.

import {
  type ContractCase,
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import { describe, it } from "vitest";
import { onNewSchema } from "./harness.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const MODEL_RUNS = 10;
/** The cases that share a schema: a purge looks at all messages, and the later of hundreds of cases would find very many. */
const CASES_PER_SCHEMA = 20;

for (const [place, installed] of installedServers().entries()) {
  describe(`the store on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);
    const harness = (): DeliveryStoreHarness => onNewSchema(pool);

    // The cases take minutes, so that they are played on one server; the model finds what differs on another version.
    for (const { name, skipped, run } of place === 0 ? casesOnSchemas(harness) : []) {
      it.skipIf(skipped !== undefined)(name, run);
    }
    for (const { name, run } of deliveryStoreModelContract(harness, { runs: MODEL_RUNS })) it(name, run);
  });
}

function casesOnSchemas(harness: () => DeliveryStoreHarness): readonly ContractCase[] {
  const schemas = Math.ceil(deliveryStoreContract(harness()).length / CASES_PER_SCHEMA);
  return Array.from({ length: schemas }, (_, schema) => {
    const first = schema * CASES_PER_SCHEMA;
    return deliveryStoreContract(harness()).slice(first, first + CASES_PER_SCHEMA);
  }).flat();
}
