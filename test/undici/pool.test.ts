import type { MonoMs } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PostConnection } from "../../packages/undici/src/connection.js";
import {
  MAX_RENEWALS,
  MAX_RESTING_CONNECTIONS,
  RENEWALS_WINDOW_MS,
  CONNECTION_REST_MS,
} from "../../packages/undici/src/limits.js";
import { type AcquiredConnection, createOriginPool, type OriginPool } from "../../packages/undici/src/pools.js";

interface Made extends PostConnection {
  isOpen: boolean;
  usableUntil: number;
}

interface Opened {
  readonly pool: OriginPool;
  /** All connections that were ever made. */
  readonly made: readonly Made[];
  /** What unasked answers lead to. */
  useOnce: () => void;
}

/** A pool whose connections are never dialled. */
function open(): Opened {
  const made: Made[] = [];
  let isUsedOnce = false;
  const newConnection = (): PostConnection => {
    const connection: Made = {
      isOpen: true,
      usableUntil: Infinity,
      send: () => undefined,
      isUsable: (now) => connection.isOpen && now < connection.usableUntil,
      async close() {
        connection.isOpen = false;
      },
    };
    made.push(connection);
    return connection;
  };
  return {
    pool: createOriginPool({ newConnection, isUsedOnce: () => isUsedOnce }),
    made,
    useOnce: () => (isUsedOnce = true),
  };
}

const at = (now: number): MonoMs => now as MonoMs;

function acquireMany(pool: OriginPool, count: number, now: number): readonly AcquiredConnection[] {
  return Array.from({ length: count }, () => pool.acquire(at(now)));
}

describe("the connections to an origin", () => {
  it("rest after an answer: while others are under way, another one is taken, or made", () => {
    const { pool, made } = open();
    const [busy, first] = acquireMany(pool, 2, 0);
    first!.keep(at(100));
    const second = pool.acquire(at(100 + CONNECTION_REST_MS - 1));
    expect([second.connection === first!.connection, second.waitMs, made.length]).toEqual([false, 0, 3]);
    const third = pool.acquire(at(100 + CONNECTION_REST_MS));
    expect([third.connection === first!.connection, third.waitMs]).toEqual([true, 0]);
    busy!.drop();
  });

  it("are waited for by one who sends one request after the other, for what is left of their rest", () => {
    const { pool, made } = open();
    pool.acquire(at(0)).keep(at(100));
    expect(pool.acquire(at(103)).waitMs).toBe(CONNECTION_REST_MS - 3);
    expect(made).toHaveLength(1);
  });

  it("are used before their rest is over, the one that rested longest, when too many rest", () => {
    const { pool, made } = open();
    const all = acquireMany(pool, MAX_RESTING_CONNECTIONS + 1, 0);
    for (const [index, acquired] of all.slice(1).entries()) acquired.keep(at(index / MAX_RESTING_CONNECTIONS));
    const next = pool.acquire(at(1));
    expect([next.connection === all[1]!.connection, next.waitMs, made.length]).toEqual([true, 0, all.length]);
  });

  it("are closed and not used again once they are too old or were closed by the receiver", () => {
    for (const spoil of [
      (connection: Made): unknown => (connection.usableUntil = 50),
      (connection: Made): unknown => (connection.isOpen = false),
    ]) {
      const { pool, made } = open();
      pool.acquire(at(0)).keep(at(1));
      spoil(made[0]!);
      expect(pool.acquire(at(50)).connection).toBe(made[1]);
      expect(made[0]!.isOpen).toBe(false);
    }
  });

  it("are closed at the end of an exchange that they are too old to follow with another", () => {
    const { pool, made } = open();
    const acquired = pool.acquire(at(0));
    made[0]!.usableUntil = 50;
    acquired.keep(at(50));
    expect(made[0]!.isOpen).toBe(false);
  });

  it("are renewed after failed answers, up to a number in each window; beyond, they are kept", () => {
    const { pool, made } = open();
    const fail = (count: number, now: number): void => {
      for (const acquired of acquireMany(pool, count, now)) acquired.renew(at(now));
    };
    fail(MAX_RENEWALS + 3, 0);
    expect(made.filter(({ isOpen }) => isOpen)).toHaveLength(3);
    fail(3, RENEWALS_WINDOW_MS - 1);
    expect(made.filter(({ isOpen }) => isOpen)).toHaveLength(3);
    fail(3, RENEWALS_WINDOW_MS + CONNECTION_REST_MS);
    expect(made.filter(({ isOpen }) => isOpen)).toHaveLength(0);
  });

  it("are used once after an unasked answer, those that rest included", () => {
    const { pool, made, useOnce } = open();
    const [kept, busy] = acquireMany(pool, 2, 0);
    kept!.keep(at(0));
    useOnce();
    busy!.keep(at(0));
    expect(pool.acquire(at(CONNECTION_REST_MS)).connection).toBe(made[2]);
    expect(made.map(({ isOpen }) => isOpen)).toEqual([false, false, true]);
  });

  it("have one exchange at a time, rest between two, and end once", () => {
    const steps = fc.array(fc.tuple(fc.constantFrom("acquire", "keep", "renew", "drop"), fc.nat({ max: 30 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, (drawn) => {
        const { pool, made } = open();
        const busy: AcquiredConnection[] = [];
        const keptAt = new Map<PostConnection, number>();
        let now = 0;
        for (const [step, number] of drawn) {
          now += number % 7;
          if (step === "acquire") {
            const isAlone = busy.length === 0;
            const acquired = pool.acquire(at(now));
            const restedMs = now + acquired.waitMs - (keptAt.get(acquired.connection) ?? -Infinity);
            expect(restedMs).toBeGreaterThanOrEqual(CONNECTION_REST_MS);
            if (!isAlone) expect(acquired.waitMs).toBe(0);
            expect(busy.map(({ connection }) => connection)).not.toContain(acquired.connection);
            expect(acquired.connection.isUsable(at(now))).toBe(true);
            busy.push(acquired);
          } else if (busy.length > 0) {
            const [ended] = busy.splice(number % busy.length, 1);
            ended![step](at(now));
            keptAt.set(ended!.connection, now);
          }
          expect(pool.busy()).toBe(busy.length);
        }
        void pool.close();
        expect(made.filter(({ isOpen }) => isOpen)).toEqual([]);
      }),
    );
  });
});
