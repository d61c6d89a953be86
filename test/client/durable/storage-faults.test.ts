// A durable client whose storage fails, is slow, hangs or is full: what was kept is not lost, what is in memory goes on, and once the
// storage works again, all is as if it had always worked.

import type { CallStorage } from "@postrider/client/durable";
import { createMemoryCallStorage, createSeededRandom, type ManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer } from "../rig.js";
import { startLife } from "./life.js";
import { callsLeft, createDisk, loadAll } from "./rig.js";

const MINUTE_MS = 60_000;
const NOTHING = { calls: 0, inMemory: 0, setAside: 0 };

describe("a durable client whose storage has failed", () => {
  it("writes by itself what it could not write, and takes calls again, though its memory is full", async () => {
    const disk = createDisk();
    const life = startLife(disk, { maxQueued: { calls: 30 } });
    life.answers(() => answer(503));
    life.call(30);
    await life.clock.settle();
    disk.isBroken = true;
    life.call(1);
    await life.clock.settle();
    expect(life.call(1)).toEqual([]);
    disk.isBroken = false;
    await life.clock.advance(MINUTE_MS);
    expect(await disk.names()).toEqual(life.kept);
    expect(life.call(1)).toHaveLength(1);
  });

  it("sends what is not stored either, and tells of it at close", async () => {
    const disk = createDisk();
    const life = startLife(disk, { maxQueued: { calls: 10 }, closeTimeoutMs: 1_000 });
    life.answers(() => answer(503));
    life.call(10);
    await life.clock.settle();
    disk.isBroken = true;
    life.call(5);
    await life.clock.settle();
    const closing = life.client.close();
    await life.clock.advance(1_000);
    const { undelivered } = await closing;
    expect(undelivered.map(({ messageId }) => messageId)).toEqual(life.kept);
    expect(life.failed).toEqual(undelivered);
  });

  it("stores as many calls as fit, and the others once there is room", async () => {
    const storage = createMemoryCallStorage({ maxCalls: 100 });
    await storage.change({ keep: callsLeft(50), drop: [] });
    const life = startLife(storage);
    life.answers(() => answer(503));
    // It does not know yet what is in the storage.
    life.call(55);
    await life.clock.advance(MINUTE_MS);
    expect(await life.client.kept()).toBe(false);
    expect(await loadAll(storage)).toHaveLength(100);
    expect(life.call(1)).toEqual([]);
    life.answers(() => answer(200));
    await life.settle();
    expect(life.arrived).toHaveLength(105);
    expect(life.client.backlog()).toEqual(NOTHING);
  });

  it("waits in flush and close no longer than their limits, even if the storage hangs", async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const life = startLife({ maxCalls: 1_000, load: never, change: never }, { closeTimeoutMs: 1_000 });
    life.call(3);
    const flushed = life.client.flush({ timeoutMs: 2_000 });
    await life.clock.advance(2_000);
    expect(await flushed).toEqual({ delivered: 3, failed: 0, pending: 0 });
    const closed = life.client.close();
    expect(life.client.track({ userId: "u1", event: "e" })).toMatchObject({ kind: "refused", code: "closed" });
    await life.clock.advance(2_000);
    expect(await closed).toEqual({ undelivered: [] });
    expect(life.clock.nextTimerAt()).toBeUndefined();
  });

  it("reads in a flush what could not be read at first", async () => {
    const works = createMemoryCallStorage();
    await works.change({ keep: callsLeft(10), drop: [] });
    let isBroken = true;
    const load: CallStorage["load"] = (request) =>
      isBroken ? Promise.reject(new Error("CANARY")) : works.load(request);
    const life = startLife({ ...works, load });
    const flushed = life.client.flush();
    await life.clock.advance(5_000);
    isBroken = false;
    await life.clock.advance(5_000);
    expect(await flushed).toEqual({ delivered: 10, failed: 0, pending: 0 });
  });

  it("sends nothing twice and counts right, if it fails after it has made a change", async () => {
    const works = createMemoryCallStorage();
    let isVague = true;
    const change: CallStorage["change"] = async (changed) => {
      const stored = await works.change(changed);
      if (isVague) throw new Error("CANARY");
      return stored;
    };
    const life = startLife({ ...works, change }, { maxQueued: { calls: 5 }, flushAt: 5, maxInFlight: 1 });
    await life.clock.settle();
    const ids = life.call(5);
    await life.clock.advance(MINUTE_MS);
    isVague = false;
    await life.clock.advance(MINUTE_MS);
    expect(life.arrived).toEqual(ids);
    expect(life.client.backlog()).toEqual(NOTHING);
  });

  it("loses nothing, sends nothing twice and counts right in the end, whatever it does and whenever", async () => {
    const modes = fc.constantFrom("works", "works", "slow", "fails", "slow and fails");
    const step = fc.record({ load: modes, change: modes, isUp: fc.boolean(), calls: fc.nat(30), ms: fc.nat(40_000) });
    const settings = fc.record({
      flushAt: fc.integer({ min: 1, max: 25 }),
      maxInFlight: fc.integer({ min: 1, max: 4 }),
      maxQueued: fc.record({ calls: fc.integer({ min: 5, max: 60 }) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), settings, fc.nat(), async (steps, options, seed) => {
        const works = createMemoryCallStorage();
        const faulty = createFaulty(works);
        const life = startLife(faulty.storage, { ...options, random: createSeededRandom(seed) });
        faulty.runOn(life.clock);
        for (const { load, change, isUp, calls, ms } of steps) {
          faulty.become({ load, change });
          life.answers(() => (isUp ? answer(200) : answer(503)));
          life.call(calls);
          await life.clock.advance(ms);
        }
        faulty.become({ load: "works", change: "works" });
        life.answers(() => answer(200));
        await life.settle();
        expect(life.arrived.toSorted()).toEqual(life.kept.toSorted());
        expect(life.client.backlog()).toEqual(NOTHING);
        expect(await loadAll(works)).toEqual([]);
        const closing = life.client.close();
        await life.settle();
        expect(await closing).toEqual({ undelivered: [] });
        expect(life.clock.nextTimerAt()).toBeUndefined();
      }),
      { numRuns: Number(process.env["POSTRIDER_RUNS"] ?? 100) },
    );
  });
});

interface Faulty {
  readonly storage: CallStorage;
  runOn(clock: ManualClock): void;
  become(modes: { readonly load: string; readonly change: string }): void;
}

/** A storage that works, is slow, fails, or does both, each of its two functions for itself. */
function createFaulty(works: CallStorage): Faulty {
  let clock: ManualClock | undefined;
  let now = { load: "works", change: "works" };
  async function passThrough(mode: string): Promise<void> {
    if (mode.startsWith("slow")) await new Promise<void>((resolve) => void clock?.after(700, resolve));
    if (mode.endsWith("fails")) throw new Error("CANARY");
  }
  return {
    storage: {
      maxCalls: works.maxCalls,
      load: (request) => passThrough(now.load).then(() => works.load(request)),
      change: (change) => passThrough(now.change).then(() => works.change(change)),
    },
    runOn: (given) => {
      clock = given;
    },
    become: (modes) => {
      now = modes;
    },
  };
}
