// A server for the tests of one suite: it starts before them and stops after them.

import { afterAll, beforeAll } from "vitest";
import type { TestPool } from "../programs/postgres/driver.js";
import { type Installed, type Running, startServer } from "../programs/postgres/servers.js";

export interface SuiteServer {
  readonly server: () => Running;
  /** A pool that all tests of the suite share. */
  readonly pool: () => TestPool;
}

/** To be called in a suite. Both functions answer once its tests run. */
export function startForSuite(installed: Installed): SuiteServer {
  let started: { readonly server: Running; readonly pool: TestPool } | undefined;
  beforeAll(async () => {
    const server = await startServer(installed);
    started = { server, pool: server.pool() };
  });
  afterAll(() => started?.server.stop());

  function running(): NonNullable<typeof started> {
    if (started === undefined) throw new Error(`${installed.name} has not been started`);
    return started;
  }
  return { server: () => running().server, pool: () => running().pool };
}
