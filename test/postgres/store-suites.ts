// The contract suites of both stores on one server.

import { openPostgresAudienceStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import {
  audienceStoreContract,
  type ContractCase,
  deliveryStoreContract,
  type DeliveryStoreHarness,
  deliveryStoreModelContract,
} from "@postrider/testkit/contracts";
import type { TestPool } from "../programs/postgres/driver.js";
import { gatedPool, whenServerIsDone } from "./gated-pool.js";
import { type GatedPool, onNewSchema } from "./harness.js";

const SYSTEM = createSystemClock();
/** The cases that share a schema: a purge looks at all messages, and the later of hundreds of cases would find very many. */
const CASES_PER_SCHEMA = 20;

/** The cases of the store of deliveries. */
export function deliveryCases(pool: () => TestPool, gated?: GatedPool): readonly ContractCase[] {
  const harness = (): DeliveryStoreHarness => onNewSchema(pool, gated);
  const schemas = Math.ceil(deliveryStoreContract(harness()).length / CASES_PER_SCHEMA);
  return Array.from({ length: schemas }, (_, schema) => {
    const first = schema * CASES_PER_SCHEMA;
    return deliveryStoreContract(harness()).slice(first, first + CASES_PER_SCHEMA);
  }).flat();
}

/** The models of the store of deliveries, each with a number of runs. */
export function deliveryModels(pool: () => TestPool, runs: number): readonly ContractCase[] {
  return deliveryStoreModelContract(() => onNewSchema(pool), { runs });
}

/** The cases of the store of audiences. */
export function audienceCases(
  pool: () => TestPool,
  gated: GatedPool = (gate) => gatedPool(pool(), gate),
): readonly ContractCase[] {
  const open = (over: PostgresPool) => openPostgresAudienceStore({ pool: over, clock: SYSTEM });
  return audienceStoreContract({
    open: () => open(pool()),
    openGated: async (gate) => {
      await whenServerIsDone();
      return open(gated(gate));
    },
    supports: {
      ...{ restart: true, sharing: true, interleaving: true, faults: true },
      full: { reason: "the disk of a server is filled by more than one store" },
    },
  });
}
