import type { TestPool } from "./driver.js";
import type { Running } from "./servers.js";

/** A pooler that runs. */
export interface PgBouncer {
  /** A new pool of connections to it, which `stop` ends. */
  pool(max?: number): TestPool;
  stop(): Promise<void>;
}

export function mayPool(): boolean;
export function startPgBouncer(server: Pick<Running, "host" | "port">): Promise<PgBouncer>;
