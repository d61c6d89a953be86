import type { TestPool } from "./driver.js";

/** A server that is there to be started. */
export interface Installed {
  readonly name: string;
  readonly bin: string;
}

/** Who connects, and to what. */
export interface Login {
  readonly user: string;
  readonly database: string;
}

/** A server that runs. */
export interface Running {
  readonly host: string;
  readonly port: number;
  /** The process that starts the others. */
  pid(): number;
  /** A database of it, as the store of a config. */
  url(database?: string): string;
  /** A new pool on it, which `stop` ends. */
  pool(max?: number, as?: Login): TestPool;
  /** Ends it at once, with no time to put its files in order, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export function installedServers(): readonly Installed[];
export function startServer(installed: Installed, settings?: readonly string[]): Promise<Running>;
