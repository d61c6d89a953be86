// Each fault that is planted in the store's SQL fails a case of the contract suite. One server is enough, and the cases that are named.

import { createManualClock } from "@postrider/memory";
import { openPostgresStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { deliveryStoreContract } from "@postrider/testkit/contracts";
import { describe, expect, it } from "vitest";
import { POSTGRES_STEPS } from "../../packages/postgres/src/schema/migrate.js";
import { PLANTED_FAULTS, type PlantedFault } from "./planted-faults.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";
import { over } from "./usual-pool.js";

const SYSTEM = createSystemClock();

it("each fault has exactly one place in the schema", () => {
  const places = PLANTED_FAULTS.map(({ name, from }) => ({
    name,
    count:
      POSTGRES_STEPS.map(({ sql }) => sql)
        .join("\n")
        .split(from).length - 1,
  }));
  expect(places.filter(({ count }) => count !== 1)).toEqual([]);
});

for (const installed of installedServers().slice(0, 1)) {
  describe(`faults in the store on ${installed.name}`, () => {
    const { server } = startForSuite(installed);

    for (const [index, fault] of PLANTED_FAULTS.entries()) {
      it(`is found: ${fault.name}`, async () => {
        const pool = server().pool(3);
        expect(await isFound(pool, fault, `fault ${String(index)}`)).toBe(true);
      });
    }
  });
}

/** Whether a case fails. They are played in order, up to the first that does. */
async function isFound(pool: PostgresPool, fault: PlantedFault, schema: string): Promise<boolean> {
  const clock = createManualClock();
  const planted = plantedPool(pool, fault);
  const cases = deliveryStoreContract(
    {
      open: () => openPostgresStore({ pool: planted, clock: SYSTEM, schema, time: "caller" }),
      now: () => clock.wall(),
      advance: (ms) => clock.advance(ms),
      supports: {
        ...{ restart: true, sharing: true, days: true },
        ...{ deletions: true, records: true, traceparents: true },
      },
    },
    { only: new RegExp(fault.foundBy.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) },
  );
  for (const { run } of cases) {
    const failed = await run().then(
      () => false,
      () => true,
    );
    if (failed) return true;
  }
  return false;
}

/** The same pool; the schema that is made through it has the fault. */
function plantedPool(pool: PostgresPool, { from, to }: PlantedFault): PostgresPool {
  return over(pool, (query) => (given) => query({ ...given, text: given.text.replace(from, () => to) }));
}
