// Pools of connections, one for each origin, bounded in number: the least recently used origin is closed first. An exchange has a
// connection to itself, and fails at once at the limit. After an answer a connection rests, so that unasked bytes find it idle. After a
// failed answer it is closed, within limits; after an unasked one each is used once (decision: connections have an age).

import { type Clock, type MonoMs, plusMs } from "@postrider/core";
import type { PostConnection, UnaskedOrigins } from "./connection.js";
import {
  MAX_CONNECTIONS_PER_ORIGIN,
  MAX_ORIGINS,
  ORIGIN_IDLE_MS,
  MAX_RESTING_CONNECTIONS,
  CONNECTION_REST_MS,
  MAX_RENEWALS,
  RENEWALS_WINDOW_MS,
} from "./limits.js";
import type { HttpTarget } from "./request.js";

/** A connection for one exchange, which one call of `keep`, `renew` or `drop` ends; further calls do nothing. */
export interface AcquiredConnection {
  readonly connection: PostConnection;
  /** The time for which it has to rest before its request may go out, in milliseconds. */
  readonly waitMs: number;
  /** Returns the connection, for a later exchange. */
  keep(now: MonoMs): void;
  /** Closes the connection, unless too many were closed like this: then it is kept. */
  renew(now: MonoMs): void;
  /** Closes the connection at once, in any state. */
  drop(): void;
}

export interface Pools {
  /** A connection to the target's origin; undefined if a limit is reached, and after `close`. */
  acquire(target: HttpTarget): AcquiredConnection | undefined;
  /** Closes every connection; the exchanges under way fail. */
  close(): Promise<void>;
}

interface PoolsOptions {
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
  /** The origin that was used last, which is already the last of `pools`. */
  let lastOrigin: string | undefined;
  /** The first instant at which an origin may have been idle for its time. */
  let idleAt = 0;
  let isClosed = false;

  return {
    acquire(target) {
      if (isClosed) return undefined;
      const nowMs = clock.monotonic();
      if (nowMs >= idleAt) closeIdle(nowMs);
      const usedPool = use(target);
      if (usedPool === undefined || usedPool.pool.busy() >= MAX_CONNECTIONS_PER_ORIGIN) return undefined;
      usedPool.usedAt = nowMs;
      return usedPool.pool.acquire(nowMs);
    },
    async close() {
      isClosed = true;
      const openPools = [...pools.values()];
      pools.clear();
      await Promise.all(openPools.map(({ pool }) => pool.close()));
    },
  };

  function use(target: HttpTarget): UsedPool | undefined {
    const { origin } = target;
    const usedPool = pools.get(origin) ?? openPool(target);
    if (usedPool === undefined || origin === lastOrigin) return usedPool;
    pools.delete(origin);
    pools.set(origin, usedPool);
    lastOrigin = origin;
    return usedPool;
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
    if (origin === lastOrigin) lastOrigin = undefined;
    void pool.close();
  }
}

export interface OriginPool {
  /** Exchanges under way. */
  busy(): number;
  acquire(now: MonoMs): AcquiredConnection;
  close(): Promise<void>;
}

interface OriginPoolOptions {
  readonly newConnection: () => PostConnection;
  /** True if each connection is to be used once. */
  readonly isUsedOnce: () => boolean;
}

/** A connection of the pool. The same object stands for each of its exchanges, one after the other. */
interface PooledConnection extends AcquiredConnection {
  waitMs: number;
  restedAt: MonoMs;
  isBusy: boolean;
}

export function createOriginPool({ newConnection, isUsedOnce }: OriginPoolOptions): OriginPool {
  const connections = new Set<PooledConnection>();
  /** Resting connections, the longest rest first, and rested ones, of which the last is used first. */
  const resting: PooledConnection[] = [];
  const rested: PooledConnection[] = [];
  const mayRenew = createMayRenew();
  let busy = 0;

  return {
    busy: () => busy,
    acquire(now) {
      const poolEntry = takeRested(now) ?? takeResting(now) ?? openConnection();
      poolEntry.isBusy = true;
      busy += 1;
      return poolEntry;
    },
    async close() {
      await Promise.all([...connections].map(({ connection }) => connection.close()));
    },
  };

  /** One whose rest is over. Those that were used last come first, so that the others can go. */
  function takeRested(now: MonoMs): PooledConnection | undefined {
    while (resting[0] !== undefined && resting[0].restedAt <= now) rested.push(resting.shift() as PooledConnection);
    return firstUsable(rested, "pop", now);
  }

  /** A resting connection: for a sender who sends one request after the other, and where too many rest. */
  function takeResting(now: MonoMs): PooledConnection | undefined {
    const isAlone = busy === 0;
    if (!isAlone && resting.length < MAX_RESTING_CONNECTIONS) return undefined;
    const poolEntry = firstUsable(resting, "shift", now);
    if (poolEntry !== undefined && isAlone) poolEntry.waitMs = poolEntry.restedAt - now;
    return poolEntry;
  }

  function firstUsable(from: PooledConnection[], take: "pop" | "shift", now: MonoMs): PooledConnection | undefined {
    for (let poolEntry = from[take](); poolEntry !== undefined; poolEntry = from[take]()) {
      poolEntry.waitMs = 0;
      if (!isUsedOnce() && poolEntry.connection.isUsable(now)) return poolEntry;
      end(poolEntry);
    }
    return undefined;
  }

  function openConnection(): PooledConnection {
    const poolEntry: PooledConnection = {
      connection: newConnection(),
      waitMs: 0,
      restedAt: 0 as MonoMs,
      isBusy: false,
      keep(now) {
        if (!release(poolEntry)) return;
        poolEntry.restedAt = plusMs(now, CONNECTION_REST_MS);
        if (isUsedOnce() || !poolEntry.connection.isUsable(now)) end(poolEntry);
        else resting.push(poolEntry);
      },
      renew(now) {
        if (mayRenew(now)) poolEntry.drop();
        else poolEntry.keep(now);
      },
      drop() {
        if (release(poolEntry)) end(poolEntry);
      },
    };
    connections.add(poolEntry);
    return poolEntry;
  }

  /** Returns true if the exchange was under way. */
  function release(poolEntry: PooledConnection): boolean {
    const wasBusy = poolEntry.isBusy;
    poolEntry.isBusy = false;
    if (wasBusy) busy -= 1;
    return wasBusy;
  }

  function end(poolEntry: PooledConnection): void {
    connections.delete(poolEntry);
    void poolEntry.connection.close();
  }
}

/** Returns true if one more may be closed, and then counts it. */
type MayRenew = (now: MonoMs) => boolean;

function createMayRenew(): MayRenew {
  let count = 0;
  let since = -Infinity;
  return (now) => {
    if (now - since >= RENEWALS_WINDOW_MS) {
      since = now;
      count = 0;
    }
    if (count >= MAX_RENEWALS) return false;
    count += 1;
    return true;
  };
}
