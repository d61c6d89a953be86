// Pools of connections by origin, bounded in number: the least recently used origin is closed first. An exchange has a
// connection to itself, and fails at once at the limit: if it waited in a queue, its timeout would count against the receiver.
// Must not know what is sent.

import type { Clock } from "@postrider/core";
import { Client } from "undici";
import type { Dialler } from "./dial.js";
import {
  KEEP_ALIVE_MAX_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS_PER_ORIGIN,
  MAX_HEAD_BYTES,
  MAX_ORIGINS,
  ORIGIN_IDLE_MS,
} from "./limits.js";

/** A connection for one exchange. The first call of `keep` or `drop` ends the exchange; further calls do nothing. */
export interface AcquiredConnection {
  readonly client: Client;
  /** Returns the connection to its pool, for the next exchange. */
  keep(): void;
  /** Closes the connection at once, in any state. */
  drop(): void;
}

export interface Pools {
  /** A connection to `origin`; undefined if a limit is reached, and after `close`. */
  acquire(origin: string): AcquiredConnection | undefined;
  /** Closes every connection; the exchanges under way fail. */
  close(): Promise<void>;
}

export interface PoolsOptions {
  readonly clock: Clock;
  /** Called once for each connection. */
  readonly newDialler: () => Dialler;
}

interface Connection {
  readonly client: Client;
  /** Called before each exchange. */
  startAnswer(): void;
  /** Closes the connection, also while it is being dialled. */
  close(): Promise<void>;
}

interface Pool {
  readonly busy: Set<Connection>;
  /** Most recently used last. */
  readonly idle: Connection[];
  usedAt: number;
}

/**
 * The connections of one HTTP port. Each is a separate undici client, not part of an undici pool, since an undici pool
 * dials again when a connection is cut.
 */
export function createPools({ clock, newDialler }: PoolsOptions): Pools {
  // Least recently used first.
  const pools = new Map<string, Pool>();
  let isClosed = false;

  return {
    acquire(origin) {
      if (isClosed) return undefined;
      closeIdle();
      const pool = pools.get(origin) ?? openPool();
      if (pool === undefined || pool.busy.size >= MAX_CONNECTIONS_PER_ORIGIN) return undefined;
      pools.delete(origin);
      pools.set(origin, pool);
      pool.usedAt = clock.monotonic();
      return take(pool, pool.idle.pop() ?? createConnection(origin, newDialler()));
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

function take(pool: Pool, connection: Connection): AcquiredConnection {
  pool.busy.add(connection);
  connection.startAnswer();
  return {
    client: connection.client,
    keep() {
      if (pool.busy.delete(connection)) pool.idle.push(connection);
    },
    drop() {
      if (pool.busy.delete(connection)) void connection.close();
    },
  };
}

function createConnection(origin: string, dialler: Dialler): Connection {
  const client = new Client(origin, {
    connect: dialler.connect,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  return {
    client,
    startAnswer: () => dialler.startAnswer(),
    close() {
      const ended = client.destroy();
      dialler.abort();
      return ended;
    },
  };
}
