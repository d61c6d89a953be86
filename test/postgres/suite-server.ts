// A server for the tests of one suite: it starts before them and stops after them.

import { afterAll, beforeAll } from "vitest";
import type { TestPool } from "../programs/postgres/driver.js";
import { type Installed, type Running, startServer } from "../programs/postgres/servers.js";

export interface SuiteServer {
  readonly server: () => Running;
  /** A pool that all tests of the suite share. */
  readonly pool: () => TestPool;
  /** The URL of a new database on the server. */
  readonly newDatabase: () => Promise<string>;
}

/** To be called in a suite. Both functions answer once its tests run. */
export function startForSuite(installed: Installed): SuiteServer {
  let started: { readonly server: Running; readonly pool: TestPool } | undefined;
  let databases = 0;
  beforeAll(async () => {
    const server = await startServer(installed);
    started = { server, pool: server.pool() };
  });
  afterAll(() => started?.server.stop());

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
