// Pools of connections by origin, bounded in number: the least recently used origin is closed first. An exchange has a
// connection to itself, and fails at once at the limit: if it waited in a queue, its timeout would count against the receiver.
// Must not know what is sent.

import type { Clock } from "@postrider/core";
import type { PostConnection } from "./connection.js";
import { MAX_CONNECTIONS_PER_ORIGIN, MAX_ORIGINS, ORIGIN_IDLE_MS } from "./limits.js";
import type { HttpTarget } from "./read-target.js";

/** A connection for one exchange. The first call of `keep` or `drop` ends the exchange; further calls do nothing. */
export interface AcquiredConnection {
  readonly connection: PostConnection;
  /** Returns the connection to its pool, for the next exchange. */
  keep(): void;
  /** Closes the connection at once, in any state. */
  drop(): void;
}

export interface Pools {
  /** A connection to the target's origin; undefined if a limit is reached, and after `close`. */
  acquire(target: HttpTarget): AcquiredConnection | undefined;
  /** Closes every connection; the exchanges under way fail. */
  close(): Promise<void>;
}

export interface PoolsOptions {
  readonly clock: Clock;
  /** Called once for each connection. */
  readonly newConnection: (target: HttpTarget) => PostConnection;
}

interface Pool {
  readonly busy: Set<PostConnection>;
  /** Most recently used last. */
  readonly idle: PostConnection[];
  usedAt: number;
}

/** The connections of one HTTP port. */
export function createPools({ clock, newConnection }: PoolsOptions): Pools {
  // Least recently used first.
  const pools = new Map<string, Pool>();
  let isClosed = false;

  return {
    acquire(target) {
      const { origin } = target;
      if (isClosed) return undefined;
      closeIdle();
      const pool = pools.get(origin) ?? openPool();
      if (pool === undefined || pool.busy.size >= MAX_CONNECTIONS_PER_ORIGIN) return undefined;
      pools.delete(origin);
      pools.set(origin, pool);
      pool.usedAt = clock.monotonic();
      return take(pool, pool.idle.pop() ?? newConnection(target));
    },
    async close() {
      isClosed = true;
      const connections = [...pools.values()].flatMap(({ busy, idle }) => [...busy, ...idle]);
      pools.clear();
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };

  function openPool(): Pool | undefined {
    if (pools.size >= MAX_ORIGINS && !closeOldestIdle()) return undefined;
    return { busy: new Set(), idle: [], usedAt: 0 };
  }

  function closeIdle(): void {
    const idleBefore = clock.monotonic() - ORIGIN_IDLE_MS;
    for (const [origin, pool] of pools) {
      if (pool.usedAt > idleBefore) return;
      if (pool.busy.size === 0) closePool(origin, pool);
    }
  }

  function closeOldestIdle(): boolean {
    for (const [origin, pool] of pools) {
      if (pool.busy.size > 0) continue;
      closePool(origin, pool);
      return true;
    }
    return false;
  }

  function closePool(origin: string, { idle }: Pool): void {
    pools.delete(origin);
    for (const connection of idle) void connection.close();
  }
}

function take(pool: Pool, connection: PostConnection): AcquiredConnection {
  pool.busy.add(connection);
  return {
    connection,
    keep() {
      if (pool.busy.delete(connection)) pool.idle.push(connection);
    },
    drop() {
      if (pool.busy.delete(connection)) void connection.close();
    },
  };
}
