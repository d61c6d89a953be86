// Pools of connections, one for each origin, bounded in number: the least recently used origin is closed first. An exchange has a
// connection to itself, and fails at once at the limit. After an answer a connection rests before it is used again, so that unasked bytes
// find it idle; a failed one is rather replaced; after an unasked one each is used once (decision: connections have an age).

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
  /** The origin that was used last: its place in the order is right. */
  let latest: string | undefined;
  /** The first instant at which an origin may have been idle for its time. */
  let idleAt = 0;
  let isClosed = false;

  return {
    acquire(target) {
      if (isClosed) return undefined;
      const nowMs = clock.monotonic();
      if (nowMs >= idleAt) closeIdle(nowMs);
      const used = use(target);
      if (used === undefined || used.pool.busy() >= MAX_CONNECTIONS_PER_ORIGIN) return undefined;
      used.usedAt = nowMs;
      return used.pool.acquire(nowMs);
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

/** A connection, with an object that stands for each of its exchanges, one after the other. */
interface Slot extends AcquiredConnection {
  waitMs: number;
  restedAt: MonoMs;
  isBusy: boolean;
}

export function createOriginPool({ newConnection, isUsedOnce }: OriginPoolOptions): OriginPool {
  const slots = new Set<Slot>();
  /** Resting connections, the longest rest first, and rested ones, of which the last is used first. */
  const resting: Slot[] = [];
  const rested: Slot[] = [];
  const mayRenew = createMayRenew();
  let busy = 0;

  return {
    busy: () => busy,
    acquire(now) {
      const slot = takeRested(now) ?? takeResting(now) ?? newSlot();
      slot.isBusy = true;
      busy += 1;
      return slot;
    },
    async close() {
      await Promise.all([...slots].map(({ connection }) => connection.close()));
    },
  };

  /** One whose rest is over. Those that were used last come first, so that the others can go. */
  function takeRested(now: MonoMs): Slot | undefined {
    while (resting[0] !== undefined && resting[0].restedAt <= now) rested.push(resting.shift() as Slot);
    return firstUsable(rested, "pop", now);
  }

  /** A resting connection: for a sender who sends one request after the other, and where too many rest. */
  function takeResting(now: MonoMs): Slot | undefined {
    const isAlone = busy === 0;
    if (!isAlone && resting.length < MAX_RESTING_CONNECTIONS) return undefined;
    const slot = firstUsable(resting, "shift", now);
    if (slot !== undefined && isAlone) slot.waitMs = slot.restedAt - now;
    return slot;
  }

  function firstUsable(from: Slot[], take: "pop" | "shift", now: MonoMs): Slot | undefined {
    for (let slot = from[take](); slot !== undefined; slot = from[take]()) {
      slot.waitMs = 0;
      if (!isUsedOnce() && slot.connection.isUsable(now)) return slot;
      end(slot);
    }
    return undefined;
  }

  function newSlot(): Slot {
    const slot: Slot = {
      connection: newConnection(),
      waitMs: 0,
      restedAt: 0 as MonoMs,
      isBusy: false,
      keep(now) {
        if (!release(slot)) return;
        slot.restedAt = plusMs(now, CONNECTION_REST_MS);
        if (isUsedOnce() || !slot.connection.isUsable(now)) end(slot);
        else resting.push(slot);
      },
      renew(now) {
        if (mayRenew(now)) slot.drop();
        else slot.keep(now);
      },
      drop() {
        if (release(slot)) end(slot);
      },
    };
    slots.add(slot);
    return slot;
  }

  /** Returns true if the exchange was under way. */
  function release(slot: Slot): boolean {
    const wasBusy = slot.isBusy;
    slot.isBusy = false;
    if (wasBusy) busy -= 1;
    return wasBusy;
  }

  function end(slot: Slot): void {
    slots.delete(slot);
    void slot.connection.close();
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
