// Harnesses of the contract suites over new schemas of one server.

import type { DeliveryStore } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { openPostgresStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import type { DeliveryStoreHarness, HostTransaction, StorageGate } from "@postrider/testkit/contracts";
import { setTimeout } from "node:timers/promises";
import type { TestPool } from "../programs/postgres/driver.js";
import { gatedPool, whenServerIsDone } from "./gated-pool.js";

const SYSTEM = createSystemClock();
let schemas = 0;

const OFTEN = { time: "caller", leafMs: 1, hints: true } as const;

/** The time of a notification from one connection to another on the same machine. */
const HINT_MS = 15;

/** A transaction on a connection that no other one has meanwhile. */
async function beginTransactionOn(pool: TestPool): Promise<HostTransaction> {
  const client = await pool.connect();
  const end = async (text: string): Promise<void> => {
    await client.query({ text }).finally(() => {
      client.release();
    });
  };
  await client.query({ text: "begin" });
  return {
    run: (text, values) => client.query({ text, values }),
    commit: () => end("commit"),
    rollback: () => end("rollback"),
  };
}

/** A pool whose queries pass the gate. */
export type GatedPool = (gate: StorageGate) => PostgresPool;

/** A harness over a new schema. `pool` is asked when a store is opened, and `gated` for one behind the gate. */
export function onNewSchema(
  pool: () => TestPool,
  gated: GatedPool = (gate) => gatedPool(pool(), gate),
): DeliveryStoreHarness {
  schemas += 1;
  const schema = `case ${String(schemas)}`;
  const clock = createManualClock();
  /** By how much the clock of the database is ahead of the machine's; undefined as long as no store has that clock. */
  let aheadMs: number | undefined;

  /** From now on the clock of the database, which goes on by itself, is ahead by this much. */
  async function setClock(ms: number): Promise<void> {
    aheadMs = ms;
    await pool().query(`create or replace function "${schema}".clock_ms() returns int8 language sql volatile as
      $fn$ select floor(extract(epoch from clock_timestamp()) * 1000)::int8 + (${String(ms)}) $fn$`);
  }

  return {
    open: () => openPostgresStore({ pool: pool(), clock: SYSTEM, schema, ...OFTEN }),
    openGated: async (gate): Promise<DeliveryStore> => {
      await whenServerIsDone();
      return openPostgresStore({ pool: gated(gate), clock: SYSTEM, schema, ...OFTEN });
    },
    openWithClock: async (): Promise<DeliveryStore> => {
      const store = await openPostgresStore({ pool: pool(), clock: SYSTEM, schema, leafMs: 1, hints: true });
      await setClock(clock.wall() - Date.now());
      return store;
    },
    now: () => clock.wall(),
    advance: async (ms): Promise<void> => {
      await clock.advance(ms);
      if (aheadMs !== undefined) await setClock(aheadMs + ms);
    },
    beginTransaction: () => beginTransactionOn(pool()),
    awaitHint: () => setTimeout(HINT_MS),
    supports: {
      ...{ restart: true, sharing: true, days: true, interleaving: true, faults: true },
      ...{
        deletions: true,
        records: true,
        board: true,
        laneChanges: true,
        traceparents: true,
        clock: true,
        outbox: true,
        hints: true,
      },
      onEnd: { reason: "it lives as long as its process" },
      exactSweeps: { reason: "what is delivered is swept with its leaf" },
      full: { reason: "the disk of a server is filled by more than one store" },
      damage: { reason: "the files of a server are its own" },
    },
  };
}
