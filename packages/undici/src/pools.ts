// Pools of connections by origin, bounded in number: the least recently used origin is closed first. An exchange has a
// connection to itself, and fails at once at the limit: if it waited in a queue, its timeout would count against the receiver.
// Must not know what is sent.

import type { Clock, MonoMs } from "@postrider/core";
import type { AcquiredConnection } from "./acquired-connection.js";
import type { PostConnection } from "./connection.js";
import { MAX_CONNECTIONS_PER_ORIGIN, MAX_ORIGINS, ORIGIN_IDLE_MS } from "./limits.js";
import { createOriginPool, type OriginPool } from "./pool.js";
import type { HttpTarget } from "./read-target.js";
import type { UnaskedOrigins } from "./unasked-origins.js";

export interface Pools {
  /** A connection to the target's origin; undefined if a limit is reached, and after `close`. */
  acquire(target: HttpTarget): AcquiredConnection | undefined;
  /** Closes every connection; the exchanges under way fail. */
  close(): Promise<void>;
}

export interface PoolsOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** Called once for each connection. */
  readonly newConnection: (target: HttpTarget) => PostConnection;
  /** The origins to which each connection is used once. */
  readonly unasked: Pick<UnaskedOrigins, "has">;
}

interface UsedPool {
  readonly pool: OriginPool;
  usedAt: MonoMs;
}

/** The connections of one HTTP port. */
export function createPools({ clock, newConnection, unasked }: PoolsOptions): Pools {
  // Least recently used first.
  const pools = new Map<string, UsedPool>();
  /** The origin that was used last: its place in the order is right. */
  let latest: string | undefined;
  /** When an origin may have been idle for its time. */
  let idleAt = 0;
  let isClosed = false;

  return {
    acquire(target) {
      if (isClosed) return undefined;
      const now = clock.monotonic();
      if (now >= idleAt) closeIdle(now);
      const used = use(target);
      if (used === undefined || used.pool.busy() >= MAX_CONNECTIONS_PER_ORIGIN) return undefined;
      used.usedAt = now;
      return used.pool.acquire(now);
    },
    async close() {
      isClosed = true;
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map(({ pool }) => pool.close()));
    },
  };

  function use(target: HttpTarget): UsedPool | undefined {
    const { origin } = target;
    const used = pools.get(origin) ?? openPool(target);
    if (used === undefined || origin === latest) return used;
    pools.delete(origin);
    pools.set(origin, used);
    latest = origin;
    return used;
  }

  function openPool(target: HttpTarget): UsedPool | undefined {
    if (pools.size >= MAX_ORIGINS && !closeOldestIdle()) return undefined;
    const isUsedOnce = (): boolean => unasked.has(target.origin);
    const pool = createOriginPool({ newConnection: () => newConnection(target), isUsedOnce });
    return { pool, usedAt: 0 as MonoMs };
  }

  function closeIdle(now: MonoMs): void {
    idleAt = now + ORIGIN_IDLE_MS;
    for (const [origin, { pool, usedAt }] of pools) {
      idleAt = Math.min(idleAt, usedAt + ORIGIN_IDLE_MS);
      if (usedAt > now - ORIGIN_IDLE_MS) return;
      if (pool.busy() === 0) closePool(origin, pool);
    }
  }

  function closeOldestIdle(): boolean {
    for (const [origin, { pool }] of pools) {
      if (pool.busy() > 0) continue;
      closePool(origin, pool);
      return true;
    }
    return false;
  }

  function closePool(origin: string, pool: OriginPool): void {
    pools.delete(origin);
    if (origin === latest) latest = undefined;
    void pool.close();
  }
}
