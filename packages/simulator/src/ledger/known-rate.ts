// What the ledger knows of the rate at which a process may send to a destination. Data only.

import type { RateLimit } from "@postrider/core";

/** The rounds that a process may still start in a lane, as of an instant. */
export interface KnownRate {
  readonly rateLimit: RateLimit;
  readonly atMs: number;
  /** No process has more than this. */
  readonly most: number;
  /** Each process has at least this. */
  readonly least: number;
  /** Until when the process may have had no whole token. */
  readonly dryUntilMs: number;
}
