// The connections to one origin. After an answer a connection rests before it is used again, so that what comes unasked finds
// it idle; after a failed one it is rather replaced; after an unasked one each is used once (decision: connections have an age).

import { type MonoMs, plusMs } from "@postrider/core";
import type { AcquiredConnection } from "./acquired-connection.js";
import type { PostConnection } from "./connection.js";
import { MAX_RESTING_CONNECTIONS, CONNECTION_REST_MS } from "./limits.js";
import { createMayRenew } from "./renewals.js";

export interface OriginPool {
  /** Exchanges under way. */
  busy(): number;
  acquire(now: MonoMs): AcquiredConnection;
  close(): Promise<void>;
}

export interface OriginPoolOptions {
  readonly newConnection: () => PostConnection;
  /** Whether each connection is to be used once. */
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
  /** Those that rest, the first of which has rested longest, and those that have rested, of which the last is used first. */
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

  /** One that rests: for a sender who sends one request after the other, and where too many rest. */
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

  /** Whether the exchange was under way. */
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
