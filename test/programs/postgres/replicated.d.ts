import type { TestPool } from "./driver.js";
import type { Installed } from "./servers.js";

/** A primary with a synchronous standby. */
export interface Replicated {
  /** A database of the primary, whichever that is. */
  url(database?: string): string;
  /** A new pool on the primary, which the caller ends. */
  pool(max?: number): TestPool;
  /** Each resolves once the primary answers, and after `promote` once it has a new standby. */
  killOneConnection(): Promise<void>;
  killPrimary(): Promise<void>;
  promote(): Promise<void>;
  switchOver(moves: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export function mayReplicate(installed: Installed): boolean;
export function startReplicated(installed: Installed): Promise<Replicated>;
