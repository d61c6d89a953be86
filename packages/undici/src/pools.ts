// Connections to use again, kept by origin: bounded in number, the least recently used origin out first. An exchange has
// its connection to itself and is told at once when there is no room: waiting in a line, its time would run out and the
// receiver be blamed. Each connection is an undici client of its own rather than one of an undici pool, since a pool dials
// anew in place of a connection that is cut. Must not know what is sent.

import type { Clock } from "@postrider/core";
import { Client } from "undici";
import type { Line } from "./dial.js";
import {
  KEEP_ALIVE_MAX_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS,
  MAX_HEAD_BYTES,
  MAX_ORIGINS,
  ORIGIN_IDLE_MS,
} from "./limits.js";

/** A connection, for one exchange. It is given back by one of its two verbs, once. */
export interface Place {
  readonly client: Client;
  /** It may serve the next one. */
  keep(): void;
  /** It may not, and ends now, in whatever state it is. */
  drop(): void;
}

export interface Pools {
  /** A connection to `origin`; undefined when there is no room for one. */
  enter(origin: string): Place | undefined;
  /** Ends every connection, with what is under way on it. Nobody enters any more. */
  close(): Promise<void>;
}

export interface PoolsOptions {
  readonly clock: Clock;
  /** A line for one connection. */
  readonly openLine: () => Line;
}

interface Connection {
  readonly client: Client;
  /** Before each exchange. */
  begin(): void;
  /** Ends it, also while it is being dialled. */
  end(): Promise<void>;
}

interface Pool {
  readonly busy: Set<Connection>;
  /** Most recently used last. */
  readonly idle: Connection[];
  usedAt: number;
}

/** The connections of one HTTP port. */
export function createPools({ clock, openLine }: PoolsOptions): Pools {
  // Least recently used first.
  const pools = new Map<string, Pool>();
  let isClosed = false;

  return {
    enter(origin) {
      if (isClosed) return undefined;
      closeIdle();
      const pool = pools.get(origin) ?? openPool();
      if (pool === undefined || pool.busy.size >= MAX_CONNECTIONS) return undefined;
      pools.delete(origin);
      pools.set(origin, pool);
      pool.usedAt = clock.monotonic();
      return take(pool, pool.idle.pop() ?? createConnection(origin, openLine()));
    },
    async close() {
      isClosed = true;
      const connections = [...pools.values()].flatMap(({ busy, idle }) => [...busy, ...idle]);
      pools.clear();
      await Promise.all(connections.map((connection) => connection.end()));
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
    // They end in their own time; nobody waits for them.
    for (const connection of idle) void connection.end();
  }
}

function take(pool: Pool, connection: Connection): Place {
  pool.busy.add(connection);
  connection.begin();
  return {
    client: connection.client,
    keep() {
      if (pool.busy.delete(connection)) pool.idle.push(connection);
    },
    drop() {
      if (pool.busy.delete(connection)) void connection.end();
    },
  };
}

function createConnection(origin: string, line: Line): Connection {
  const client = new Client(origin, {
    connect: line.connect,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  return {
    client,
    begin: () => line.begin(),
    end() {
      const ended = client.destroy();
      line.hangUp();
      return ended;
    },
  };
}
