// Harnesses of the contract suites over new schemas of one server.

import type { DeliveryStore } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import type { DeliveryStoreHarness } from "@postrider/testkit/contracts";
import type { TestPool } from "../programs/postgres/driver.js";
import { gatedPool } from "./gated-pool.js";

const SYSTEM = createSystemClock();
let schemas = 0;

/** A harness over a new schema. `pool` is asked when a store is opened. */
export function onNewSchema(pool: () => TestPool): DeliveryStoreHarness {
  schemas += 1;
  const schema = `case ${String(schemas)}`;
  const clock = createManualClock();
  let hasClock = false;

  /** From now on the clock of the database goes on from that of the harness. */
  async function setClock(): Promise<void> {
    const aheadMs = String(clock.wall() - Date.now());
    await pool().query(`create or replace function "${schema}".clock_ms() returns int8 language sql volatile as
      $fn$ select floor(extract(epoch from clock_timestamp()) * 1000)::int8 + (${aheadMs}) $fn$`);
  }

  return {
    open: () => openPostgresStore({ pool: pool(), clock: SYSTEM, schema, time: "caller" }),
    openGated: (gate) => openPostgresStore({ pool: gatedPool(pool(), gate), clock: SYSTEM, schema, time: "caller" }),
    openWithClock: async (): Promise<DeliveryStore> => {
      const store = await openPostgresStore({ pool: pool(), clock: SYSTEM, schema });
      hasClock = true;
      await setClock();
      return store;
    },
    now: () => clock.wall(),
    advance: async (ms): Promise<void> => {
      await clock.advance(ms);
      if (hasClock) await setClock();
    },
    supports: {
      ...{ restart: true, sharing: true, days: true, interleaving: true, faults: true },
      ...{ deletions: true, pauses: true, replayJobs: true, traceparents: true, clock: true },
      full: { reason: "the disk of a server is filled by more than one store" },
      damage: { reason: "the files of a server are its own" },
    },
  };
}
