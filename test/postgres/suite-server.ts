// A server for the tests of one suite: it starts before them and stops after them.

import { afterAll, beforeAll } from "vitest";
import { openPool, type TestPool } from "../programs/postgres/driver.js";
import { startPgBouncer } from "../programs/postgres/pgbouncer.js";
import { type Installed, type Running, startServer } from "../programs/postgres/servers.js";

export interface SuiteServer {
  readonly server: () => Running;
  /** A pool that all tests of the suite share; through PgBouncer if that was asked for. */
  readonly pool: () => TestPool;
  /** The URL of a new database on the server. */
  readonly newDatabase: () => Promise<string>;
}

/** No test cuts the power of the machine, and what a process has written outlives it: no commit has to wait for the disk. */
const NEVER_SYNCED = ["fsync=off", "full_page_writes=off"];

/** As hosts do who capture changes: from then on, a table without an identity of its rows refuses to change them. */
async function publishAll(server: Running, database: string): Promise<void> {
  const pool = openPool(server.url(database));
  await pool.query("create publication everything for all tables");
  await pool.end();
}

/**
 * To be called in a suite. With `synced`, commits wait for the disk, as our commands demand of a server. Both functions answer
 * once its tests run.
 */
export function startForSuite(
  installed: Installed,
  { pooled = false, synced = false }: { readonly pooled?: boolean; readonly synced?: boolean } = {},
): SuiteServer {
  let started: { readonly server: Running; readonly pool: TestPool; readonly stop: () => Promise<void> } | undefined;
  let databases = 0;
  beforeAll(async () => {
    const server = await startServer(installed, synced ? [] : NEVER_SYNCED);
    for (const database of ["template1", "postgres"]) await publishAll(server, database);
    const pooler = pooled ? await startPgBouncer(server) : undefined;
    const stop = async (): Promise<void> => {
      await pooler?.stop();
      await server.stop();
    };
    started = { server, pool: (pooler ?? server).pool(), stop };
  });
  afterAll(() => started?.stop());

  function running(): NonNullable<typeof started> {
    if (started === undefined) throw new Error(`${installed.name} has not been started`);
    return started;
  }
  async function newDatabase(): Promise<string> {
    databases += 1;
    const name = `database${String(databases)}`;
    await running().pool.query(`create database ${name}`);
    return running().server.url(name);
  }

  return { server: () => running().server, pool: () => running().pool, newDatabase };
}
