// What a pool gives to an exchange, and how the exchange gives it back. Must not know pools.

import type { MonoMs } from "@postrider/core";
import type { PostConnection } from "./connection.js";

/** A connection for one exchange, which one call of `keep`, `renew` or `drop` ends; further calls do nothing. */
export interface AcquiredConnection {
  readonly connection: PostConnection;
  /** How long it has still to rest before its request may go out, in milliseconds. */
  readonly waitMs: number;
  /** Returns the connection, for a later exchange. */
  keep(now: MonoMs): void;
  /** Closes the connection, unless too many were closed like this: then it is kept. */
  renew(now: MonoMs): void;
  /** Closes the connection at once, in any state. */
  drop(): void;
}
