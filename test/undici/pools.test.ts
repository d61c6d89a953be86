import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import type { PostConnection } from "../../packages/undici/src/connection.js";
import {
  MAX_CONNECTIONS_PER_ORIGIN,
  MAX_ORIGINS,
  ORIGIN_IDLE_MS,
  CONNECTION_REST_MS,
} from "../../packages/undici/src/limits.js";
import { type AcquiredConnection, createPools, type Pools } from "../../packages/undici/src/pools.js";
import { createReadTarget } from "../../packages/undici/src/request.js";

const ORIGIN = "http://receiver.example";

interface Opened {
  readonly pools: Pools;
  readonly clock: ReturnType<typeof createManualClock>;
  /** One for each connection made; true once it has ended. */
  readonly ended: boolean[];
}

/** Pools whose connections are never dialled: nothing is sent here. */
function open(): Opened {
  const clock = createManualClock();
  const ended: boolean[] = [];
  const newConnection = (): PostConnection => {
    const index = ended.push(false) - 1;
    return {
      send: () => {
        throw new Error("not to be used");
      },
      isUsable: () => !ended[index],
      close: async () => {
        ended[index] = true;
      },
    };
  };
  const unasked = { has: () => false };
  return { pools: createPools({ clock, newConnection, unasked }), clock, ended };
}

const readTarget = createReadTarget();

function acquire(pools: Pools, origin = ORIGIN): AcquiredConnection {
  const connection = pools.acquire(readTarget(origin)!);
  if (connection === undefined) throw new Error("at the limit");
  return connection;
}

describe("the pools", () => {
  it("give a kept connection to the next exchange of its origin, and to no other", () => {
    const { pools, clock } = open();
    const first = acquire(pools);
    first.keep(clock.monotonic());
    expect(acquire(pools, "https://receiver.example").connection).not.toBe(first.connection);
    expect(acquire(pools, "http://receiver.example:81").connection).not.toBe(first.connection);
    expect(acquire(pools).connection).toBe(first.connection);
  });

  it("give no connection to two exchanges at once", () => {
    const { pools } = open();
    expect(acquire(pools).connection).not.toBe(acquire(pools).connection);
  });

  it("prefer the connection used last, so that the others can go", async () => {
    const { pools, clock } = open();
    const [first, second] = [acquire(pools), acquire(pools)];
    first.keep(clock.monotonic());
    second.keep(clock.monotonic());
    await clock.advance(CONNECTION_REST_MS);
    expect(acquire(pools).connection).toBe(second.connection);
  });

  it("close a dropped connection, and give it out no more", () => {
    const { pools, ended } = open();
    const first = acquire(pools);
    first.drop();
    expect(ended).toEqual([true]);
    expect(acquire(pools).connection).not.toBe(first.connection);
  });

  it("take a connection back once, and ignore further calls", () => {
    const { pools, clock, ended } = open();
    const first = acquire(pools);
    first.keep(clock.monotonic());
    first.drop();
    first.keep(clock.monotonic());
    expect(ended).toEqual([false]);
    expect(acquire(pools).connection).not.toBe(acquire(pools).connection);
  });

  it("give out as many connections to an origin as the limit says, and another once one is dropped", () => {
    const { pools } = open();
    const connections = Array.from({ length: MAX_CONNECTIONS_PER_ORIGIN }, () => acquire(pools));
    expect(pools.acquire(readTarget(ORIGIN)!)).toBeUndefined();
    expect(pools.acquire(readTarget("http://other.example")!)).toBeDefined();
    connections[7]?.drop();
    expect(pools.acquire(readTarget(ORIGIN)!)).toBeDefined();
    expect(pools.acquire(readTarget(ORIGIN)!)).toBeUndefined();
  });

  it("keep as many origins as the limit says: the one idle longest is closed first, a busy one never", () => {
    const { pools, clock, ended } = open();
    const busy = acquire(pools, "http://busy.example");
    for (let index = 1; index < MAX_ORIGINS; index += 1)
      acquire(pools, `http://r${String(index)}.example`).keep(clock.monotonic());
    acquire(pools, "http://one-more.example");
    expect(ended.flatMap((isEnded, index) => (isEnded ? [index] : []))).toEqual([1]);
    busy.keep(clock.monotonic());
    expect(acquire(pools, "http://busy.example").connection).toBe(busy.connection);
  });

  it("give out no connection to a further origin when all are busy", () => {
    const { pools } = open();
    for (let index = 0; index < MAX_ORIGINS; index += 1) acquire(pools, `http://r${String(index)}.example`);
    expect(pools.acquire(readTarget("http://one-more.example")!)).toBeUndefined();
  });

  it("forget an origin that was idle for a minute, and one that was busy only when it is free", async () => {
    const { pools, clock, ended } = open();
    const busy = acquire(pools, "http://busy.example");
    acquire(pools, "http://idle.example").keep(clock.monotonic());
    await clock.advance(ORIGIN_IDLE_MS - 1);
    acquire(pools, "http://recent.example").keep(clock.monotonic());
    expect(ended).toEqual([false, false, false]);
    await clock.advance(1);
    acquire(pools, "http://now.example");
    expect(ended).toEqual([false, true, false, false]);
    busy.keep(clock.monotonic());
    acquire(pools, "http://now.example");
    expect(ended[0]).toBe(true);
  });

  it("count an origin as idle from its last exchange, not from its first", async () => {
    const { pools, clock, ended } = open();
    acquire(pools, "http://often.example").keep(clock.monotonic());
    acquire(pools, "http://once.example").keep(clock.monotonic());
    await clock.advance(ORIGIN_IDLE_MS);
    acquire(pools, "http://often.example").keep(clock.monotonic());
    await clock.advance(1);
    acquire(pools, "http://now.example");
    expect(ended).toEqual([true, true, false, false]);
  });

  it("do not let an old origin that is in use hide a younger one that is not", async () => {
    const { pools, clock, ended } = open();
    acquire(pools, "http://often.example").keep(clock.monotonic());
    acquire(pools, "http://once.example").keep(clock.monotonic());
    await clock.advance(ORIGIN_IDLE_MS - 1);
    acquire(pools, "http://often.example").keep(clock.monotonic());
    await clock.advance(1);
    acquire(pools, "http://often.example");
    expect(ended).toEqual([false, true]);
  });

  it("close every connection on close, and give out no more", async () => {
    const { pools, clock, ended } = open();
    acquire(pools);
    acquire(pools).keep(clock.monotonic());
    acquire(pools, "http://other.example");
    await pools.close();
    expect(ended).toEqual(ended.map(() => true));
    expect(pools.acquire(readTarget(ORIGIN)!)).toBeUndefined();
  });
});
