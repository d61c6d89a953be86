import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import type { Line } from "../../packages/undici/src/dial.js";
import { MAX_CONNECTIONS, MAX_ORIGINS, ORIGIN_IDLE_MS } from "../../packages/undici/src/limits.js";
import { createPools, type Place, type Pools } from "../../packages/undici/src/pools.js";

const ORIGIN = "http://receiver.example";

interface Opened {
  readonly pools: Pools;
  readonly clock: ReturnType<typeof createManualClock>;
  /** One for each connection made; true once it has ended. */
  readonly ended: boolean[];
}

/** Lines that are never dialled: nothing is sent here. */
function open(): Opened {
  const clock = createManualClock();
  const ended: boolean[] = [];
  const openLine = (): Line => {
    const index = ended.push(false) - 1;
    return {
      connect: () => {
        throw new Error("not to be dialled");
      },
      begin: () => undefined,
      hangUp: () => {
        ended[index] = true;
      },
    };
  };
  return { pools: createPools({ clock, openLine }), clock, ended };
}

function enter(pools: Pools, origin = ORIGIN): Place {
  const place = pools.enter(origin);
  if (place === undefined) throw new Error("no room");
  return place;
}

describe("the pools", () => {
  it("give a kept connection to the next exchange of its origin, and to no other", () => {
    const { pools } = open();
    const first = enter(pools);
    first.keep();
    expect(enter(pools, "https://receiver.example").client).not.toBe(first.client);
    expect(enter(pools, "http://receiver.example:81").client).not.toBe(first.client);
    expect(enter(pools).client).toBe(first.client);
  });

  it("give no connection to two exchanges at once", () => {
    const { pools } = open();
    expect(enter(pools).client).not.toBe(enter(pools).client);
  });

  it("prefer the connection used last, so that the others can go", () => {
    const { pools } = open();
    const [first, second] = [enter(pools), enter(pools)];
    first.keep();
    second.keep();
    expect(enter(pools).client).toBe(second.client);
  });

  it("end a dropped connection and give it to nobody", () => {
    const { pools, ended } = open();
    const first = enter(pools);
    first.drop();
    expect(ended).toEqual([true]);
    expect(first.client.destroyed).toBe(true);
    expect(enter(pools).client).not.toBe(first.client);
  });

  it("take a connection back once, whatever is said of it later", () => {
    const { pools, ended } = open();
    const first = enter(pools);
    first.keep();
    first.drop();
    first.keep();
    expect(ended).toEqual([false]);
    expect(enter(pools).client).not.toBe(enter(pools).client);
  });

  it("have room for so many exchanges of an origin and no more, until one has left", () => {
    const { pools } = open();
    const places = Array.from({ length: MAX_CONNECTIONS }, () => enter(pools));
    expect(pools.enter(ORIGIN)).toBeUndefined();
    expect(pools.enter("http://other.example")).toBeDefined();
    places[7]?.drop();
    expect(pools.enter(ORIGIN)).toBeDefined();
    expect(pools.enter(ORIGIN)).toBeUndefined();
  });

  it("have room for so many origins: the one idle longest makes place, one that is busy never", () => {
    const { pools, ended } = open();
    const busy = enter(pools, "http://busy.example");
    for (let index = 1; index < MAX_ORIGINS; index += 1) enter(pools, `http://r${String(index)}.example`).keep();
    enter(pools, "http://one-more.example");
    expect(ended.flatMap((isEnded, index) => (isEnded ? [index] : []))).toEqual([1]);
    busy.keep();
    expect(enter(pools, "http://busy.example").client).toBe(busy.client);
  });

  it("have no room for a further origin when all are busy", () => {
    const { pools } = open();
    for (let index = 0; index < MAX_ORIGINS; index += 1) enter(pools, `http://r${String(index)}.example`);
    expect(pools.enter("http://one-more.example")).toBeUndefined();
  });

  it("forget an origin that was idle for a minute, and one that was busy only when it is free", async () => {
    const { pools, clock, ended } = open();
    const busy = enter(pools, "http://busy.example");
    enter(pools, "http://idle.example").keep();
    await clock.advance(ORIGIN_IDLE_MS - 1);
    enter(pools, "http://recent.example").keep();
    expect(ended).toEqual([false, false, false]);
    await clock.advance(1);
    enter(pools, "http://now.example");
    expect(ended).toEqual([false, true, false, false]);
    busy.keep();
    enter(pools, "http://now.example");
    expect(ended[0]).toBe(true);
  });

  it("count an origin as idle from its last exchange, not from its first", async () => {
    const { pools, clock, ended } = open();
    enter(pools, "http://often.example").keep();
    enter(pools, "http://once.example").keep();
    await clock.advance(ORIGIN_IDLE_MS);
    enter(pools, "http://often.example").keep();
    await clock.advance(1);
    enter(pools, "http://now.example");
    expect(ended).toEqual([true, true, false, false]);
  });

  it("do not let an old origin that is in use hide a younger one that is not", async () => {
    const { pools, clock, ended } = open();
    enter(pools, "http://often.example").keep();
    enter(pools, "http://once.example").keep();
    await clock.advance(ORIGIN_IDLE_MS - 1);
    enter(pools, "http://often.example").keep();
    await clock.advance(1);
    enter(pools, "http://often.example");
    expect(ended).toEqual([false, true]);
  });

  it("end all when they are closed, and let nobody in", async () => {
    const { pools, ended } = open();
    enter(pools);
    enter(pools).keep();
    enter(pools, "http://other.example");
    await pools.close();
    expect(ended).toEqual(ended.map(() => true));
    expect(pools.enter(ORIGIN)).toBeUndefined();
  });
});
