// One pool of connections for each origin: bounded in number and in connections, least recently used out first.
// An exchange enters a pool, or is told that there is no room; it never waits in a line, where its time would run out
// and the receiver be blamed. Must not know what is sent.

import type { Clock } from "@postrider/core";
import { Pool } from "undici";
import type { Connect } from "./dial.js";
import {
  KEEP_ALIVE_MAX_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS,
  MAX_HEAD_BYTES,
  MAX_POOLS,
  POOL_IDLE_MS,
} from "./limits.js";

/** A place in a pool. */
export interface Place {
  readonly dispatcher: Pool;
  leave(): void;
}

export interface Pools {
  /** A place for one exchange with `origin`, whose dial may take `timeoutMs`; undefined when there is no room. */
  enter(origin: string, timeoutMs: number): Place | undefined;
  /** Ends every exchange and every connection. Nobody enters any more. */
  close(): Promise<void>;
}

export interface PoolsOptions {
  readonly clock: Clock;
  /** Makes the connections of a pool. */
  readonly connect: (timeoutMs: number) => Connect;
}

interface Entry {
  readonly pool: Pool;
  open: number;
  usedAt: number;
}

/** The pools of one HTTP port. */
export function createPools({ clock, connect }: PoolsOptions): Pools {
  // Least recently used first.
  const entries = new Map<string, Entry>();
  let isClosed = false;

  return {
    enter(origin, timeoutMs) {
      if (isClosed) return undefined;
      closeIdle();
      // The time is part of the key, since a dial lasts no longer than those that wait for it.
      const key = `${origin} ${String(timeoutMs)}`;
      const entry = entries.get(key) ?? open(origin, timeoutMs);
      if (entry === undefined || entry.open >= MAX_CONNECTIONS) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return enter(entry);
    },
    async close() {
      isClosed = true;
      const pools = [...entries.values()].map(({ pool }) => pool);
      entries.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };

  function enter(entry: Entry): Place {
    entry.open += 1;
    entry.usedAt = clock.monotonic();
    return {
      dispatcher: entry.pool,
      leave: () => {
        entry.open -= 1;
      },
    };
  }

  function open(origin: string, timeoutMs: number): Entry | undefined {
    if (entries.size >= MAX_POOLS && !closeOldestIdle()) return undefined;
    return { pool: createPool(origin, connect(timeoutMs)), open: 0, usedAt: 0 };
  }

  function closeIdle(): void {
    const idleBefore = clock.monotonic() - POOL_IDLE_MS;
    for (const [key, entry] of entries) {
      if (entry.usedAt > idleBefore) return;
      if (entry.open === 0) drop(key, entry);
    }
  }

  function closeOldestIdle(): boolean {
    for (const [key, entry] of entries) {
      if (entry.open > 0) continue;
      drop(key, entry);
      return true;
    }
    return false;
  }

  function drop(key: string, { pool }: Entry): void {
    entries.delete(key);
    // Its connections end in their own time; nobody waits for them.
    void pool.destroy();
  }
}

function createPool(origin: string, connect: Connect): Pool {
  return new Pool(origin, {
    connect,
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
}
