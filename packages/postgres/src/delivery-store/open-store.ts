// A delivery store over a pool of PostgreSQL connections. Its methods call functions in the schema of the store, each call in one
// transaction (decision: postgres).

import { type Clock, type DeliveryStore, type EpochMs, epochMs } from "@postrider/core";
import { createRequests } from "../connection/requests.js";
import type { PostgresPool } from "../pool.js";
import { createPostgresRecords } from "../record-store.js";
import { migrateSchema, quoteName } from "../schema/migrate.js";
import { BUCKET } from "../schema/numbers.js";
import { readDigits } from "../wire/read-row.js";
import { createPostgresBoard, createPostgresHints } from "./board.js";
import { claim } from "./claim.js";
import { commit } from "./commit.js";
import { createPostgresDeletions } from "./users.js";
import { createPostgresLaneChanges, lanes, list } from "./lists.js";
import { createLows, createNames, type Functions } from "./functions.js";
import { createLeased } from "./leased.js";
import { createPostgresOutbox } from "./outbox.js";
import { counts, find, findSeen } from "./reads.js";
import { sweep, end, pullIn } from "./maintenance.js";

/** The options of `openPostgresStore`. */
export interface PostgresStoreOptions {
  /** The pool of the host, which stays the host's: `close` does not end it. */
  readonly pool: PostgresPool;
  /** For the deadline of each request and the age of connections, and for nothing else. */
  readonly clock: Pick<Clock, "after" | "monotonic">;
  /** The schema in which the store has its tables and functions, and nothing else is. `postrider` if absent. */
  readonly schema?: string;
  /**
   * True if processes wake each other by NOTIFY and LISTEN, for calls that one of them has accepted and does not deliver itself;
   * false if absent, and then each finds them at its next poll. It takes one connection of the pool for good, and does not work
   * through a pooler in transaction mode.
   */
  readonly hints?: boolean;
  /**
   * The clock by which leases, windows and due times are judged: that of the database, so that machines whose clocks differ agree, or
   * that of the caller, who names the time with each request. `database` if absent.
   */
  readonly time?: "database" | "caller";
  /**
   * The time for which deliveries are written to one leaf of the tables before the next is begun, in milliseconds. A leaf is emptied as a
   * whole once all of it is older than the retention. A sixth of the retention of delivered deliveries if absent.
   */
  readonly leafMs?: number;
}

/**
 * Opens a store in a database, after it has brought the schema up to date. Several stores may share it, in one process or on many
 * machines. Rejects with a `StoreError` that says in words what is wrong with the server, its rights or the schema.
 */
export async function openPostgresStore({
  pool,
  clock,
  schema = "postrider",
  hints = false,
  time = "database",
  leafMs,
}: PostgresStoreOptions): Promise<DeliveryStore> {
  const connection = createRequests({ pool, clock });
  await migrateSchema(connection, schema);
  const name = quoteName(schema);
  const timeFor = (now: EpochMs): number | null => (time === "caller" ? now : null);
  const parts = { connection, names: createNames(connection, name), lows: createLows(), leased: createLeased() };
  const store: Functions = { ...parts, schema: name, bucket: BUCKET, timeFor };
  const wakes = createPostgresHints({ pool, connection, clock, schema: { plain: schema, quoted: name } });

  return {
    commit: (changes, now) => commit(store, changes, now),
    claim: (request, now) => claim(store, request, now),
    lanes: (page, now) => lanes(store, page, now),
    end: (request, now) => end(store, request, now),
    pullIn: (request, now) => pullIn(store, request, now),
    find: (id) => find(store, id),
    list: (query) => list(store, query),
    seen: (query, now) => findSeen(store, query, now),
    counts: () => counts(store),
    sweep: (request, now) => sweep({ ...store, leafMs }, request, now),
    deletions: createPostgresDeletions(store),
    records: createPostgresRecords(store),
    laneChanges: createPostgresLaneChanges(store),
    board: createPostgresBoard(store),
    outbox: createPostgresOutbox(store),
    ...(hints && { hints: wakes.hints }),
    ...(time === "database" && { clock: { wall: () => wall(store) } }),
    close: (): Promise<void> => {
      wakes.close();
      connection.close();
      return Promise.resolve();
    },
  };
}

async function wall({ connection, schema }: Functions): Promise<EpochMs> {
  const [row] = await connection.ask(`select ${schema}.clock_ms() as now`);
  return epochMs(readDigits(row ?? {}, "now"));
}
