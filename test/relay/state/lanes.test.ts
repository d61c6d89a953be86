// The turns of lanes over long random runs: deliveries come, wait, are claimed and end, in any order; the store is a number
// for each lane. The cost of a turn is counted in lanes that it looks at.

import type { DeliveryId, DestinationId, EpochMs, LaneClaim } from "@postrider/core";
import { MAX_IN_FLIGHT, MAX_LANE_IN_FLIGHT, slotsInShare, MAX_DELIVERIES_PER_TURN } from "@postrider/core/engine";
import { createManualClock, createSeededRandom, type ManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_SLOTS_PER_FREE_SLOT } from "../../../packages/core/src/limits.js";
import { createLanes, type Lanes } from "../../../packages/relay/src/lanes/lanes.js";
import { finishEntry } from "../../../packages/relay/src/lanes/lane.js";
import { releaseSlot, type Slot, startSlot } from "../../../packages/relay/src/lanes/slots.js";

const id = (lane: number): DestinationId => `lane${String(lane)}` as DestinationId;

interface World {
  readonly book: Lanes;
  readonly clock: ManualClock;
  /** The deliveries that wait in each lane, due at once, and those of each that are under way. */
  readonly waiting: Map<DestinationId, number>;
  readonly out: Map<DestinationId, number>;
  arrive(lane: DestinationId, count: number): void;
  turn(): readonly LaneClaim[];
  finish(lane: DestinationId, count: number): void;
}

function createWorld(): World {
  const clock = createManualClock();
  const settings = { isOpen: () => true, destination: () => undefined };
  const book = createLanes({ clock, random: createSeededRandom(1), settings });
  const [waiting, out] = [new Map<DestinationId, number>(), new Map<DestinationId, number>()];
  const slots = new Map<DestinationId, Slot[]>();
  const slotsOf = (lane: DestinationId): Slot[] => {
    const open = slots.get(lane) ?? [];
    slots.set(lane, open);
    return open;
  };
  const add = (to: Map<DestinationId, number>, lane: DestinationId, count: number): void => {
    to.set(lane, (to.get(lane) ?? 0) + count);
  };
  return {
    book,
    clock,
    waiting,
    out,
    arrive: (lane, count): void => {
      for (let place = 0; place < count; place += 1) book.add(lane, 10);
      add(waiting, lane, count);
      book.due(lane, clock.wall());
    },
    turn: () => {
      const claims = book.nextClaims();
      const brought = claims.map(({ lane, limit }) => Math.min(limit, waiting.get(lane) ?? 0));
      for (const [index, { lane }] of claims.entries()) add(waiting, lane, -(brought[index] ?? 0));
      const still = claims.filter(({ lane }) => (waiting.get(lane) ?? 0) > 0);
      book.claimsAnswered(claims, new Map<DestinationId, EpochMs>(still.map(({ lane }) => [lane, clock.wall()])));
      for (const [index, { lane }] of claims.entries()) {
        for (let place = 0; place < (brought[index] ?? 0); place += 1) {
          const slot = book.reserve(lane);
          startSlot(slot);
          slotsOf(lane).push(slot);
        }
        add(out, lane, brought[index] ?? 0);
      }
      return claims;
    },
    finish: (lane, count): void => {
      const ending = Math.min(count, out.get(lane) ?? 0);
      for (let index = 0; index < ending; index += 1) {
        book.roundEnded(lane, { delivery: "any" as DeliveryId, isFirst: true, signal: "success" });
        finishEntry(book.entry(lane, 10));
        const slot = slotsOf(lane).shift();
        if (slot !== undefined) releaseSlot(slot);
      }
      add(out, lane, -ending);
    },
  };
}

const LANES = 12;
const lanes = fc.nat(LANES - 1).map(id);
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("arrive" as const),
        lane: lanes,
        count: fc.integer({ min: 1, max: 900 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("turn" as const) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("finish" as const),
        lane: lanes,
        count: fc.integer({ min: 1, max: 60 }),
      }),
    },
  ),
  { maxLength: 150 },
);

/** Turns until one claims nothing: a single turn claims no more than `MAX_CLAIMED_DELIVERIES`. */
function turnsWhileAny(world: World): void {
  while (world.turn().length > 0);
}

/** Enough under way that slots are scarce. */
function crowd(world: World): void {
  for (let round = 0; round < 12; round += 1) {
    for (let lane = 0; lane < LANES; lane += 1) world.arrive(id(lane), 400);
    for (let lane = 0; round < 11 && lane < LANES; lane += 1) world.finish(id(lane), 400);
    turnsWhileAny(world);
  }
}

/** All lanes at their highest limit, and the first four with as much under way as they may have. */
function crowdFour(world: World): void {
  for (let round = 0; round < 11; round += 1) {
    for (let lane = 0; lane < LANES; lane += 1) {
      world.arrive(id(lane), world.book.lane(id(lane)).pace.limit);
      turnsWhileAny(world);
      world.finish(id(lane), MAX_LANE_IN_FLIGHT);
    }
  }
  for (let lane = 0; lane < 4; lane += 1) world.arrive(id(lane), 2_000);
  turnsWhileAny(world);
}

describe("the turns of lanes", () => {
  it("let no lane have more than a turn while another one that is ready has none", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const world = createWorld();
        crowd(world);
        const since = new Map<DestinationId, Map<DestinationId, number>>();
        for (const step of all) {
          if (step.kind === "arrive") world.arrive(step.lane, step.count);
          if (step.kind === "finish") world.finish(step.lane, step.count);
          if (step.kind !== "turn") continue;
          const before = readyLanes(world);
          const claims = world.turn();
          const still = readyLanes(world);
          for (const lane of world.waiting.keys()) {
            const isReady = before.has(lane) && still.has(lane);
            const isServed = !isReady || claims.some((claim) => claim.lane === lane);
            const otherTurns = isServed
              ? new Map<DestinationId, number>()
              : (since.get(lane) ?? new Map<DestinationId, number>());
            for (const { lane: other, limit } of isServed ? [] : claims)
              otherTurns.set(other, (otherTurns.get(other) ?? 0) + limit);
            since.set(lane, otherTurns);
            for (const had of otherTurns.values()) expect(had).toBeLessThanOrEqual(MAX_DELIVERIES_PER_TURN);
          }
        }
      }),
    );
  });

  it("keep to the bounds of each lane and of all, and leave no slot free that a lane could use", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const world = createWorld();
        for (const step of all) {
          if (step.kind === "arrive") world.arrive(step.lane, step.count);
          if (step.kind === "finish") world.finish(step.lane, step.count);
          if (step.kind === "turn") world.turn();
          const under = [...world.out.values()].reduce((sum, count) => sum + count, 0);
          expect(under).toBeLessThanOrEqual(MAX_IN_FLIGHT);
          for (const [lane, count] of world.out) expect(count).toBeLessThanOrEqual(world.book.lane(lane).pace.limit);
          if (step.kind === "turn") expect([...readyLanes(world)]).toEqual([]);
        }
        for (let round = 0; round < 1_000 && [...world.waiting.values()].some((count) => count > 0); round += 1) {
          world.turn();
          for (const lane of world.out.keys()) world.finish(lane, MAX_LANE_IN_FLIGHT);
        }
        expect([...world.waiting.values()].every((count) => count === 0)).toBe(true);
      }),
    );
  });

  it("are none for a lane whose limit has fallen below what it has under way", () => {
    const world = createWorld();
    world.arrive(id(0), 100);
    world.turn();
    world.finish(id(0), 1);
    const local = { delivery: "any" as DeliveryId, isFirst: true, signal: "local" } as const;
    for (let fault = 0; fault < 5; fault += 1) world.book.roundEnded(id(0), local);
    expect(world.turn()).toEqual([]);
    expect(world.book.freeSlots()).toBe(MAX_IN_FLIGHT - 31);
  });

  it.each([1, 10, 40])("bring every lane to its share, if %i slots become free at a time", (free) => {
    const world = createWorld();
    crowdFour(world);
    for (let lane = 4; lane < LANES; lane += 1) world.arrive(id(lane), 2_000);
    const had = new Map<DestinationId, number>();
    const steps = Math.ceil((20 * MAX_IN_FLIGHT) / free);
    for (let step = 0; step < 2 * steps; step += 1) {
      const [busiest, count] = [...world.out].sort(([, one], [, other]) => other - one)[0] ?? [id(0), 0];
      world.finish(busiest, Math.min(free, count));
      world.arrive(busiest, free);
      world.turn();
      for (const [lane, out] of step < steps ? [] : world.out) had.set(lane, (had.get(lane) ?? 0) + out / steps);
    }
    expect(had.size).toBe(LANES);
    expect(Math.min(...had.values())).toBeGreaterThanOrEqual((0.9 * MAX_IN_FLIGHT) / LANES);
  });

  it("leave slots free for a lane that comes later, beside lanes that would use all of them", () => {
    const world = createWorld();
    crowdFour(world);
    expect(world.turn()).toEqual([]);
    expect(world.book.untilNextMs()).toBeUndefined();
    const free = world.book.freeSlots();
    expect(free).toBeLessThan(0.03 * MAX_IN_FLIGHT);
    expect(free).toBeGreaterThanOrEqual(Math.floor(MAX_IN_FLIGHT / (4 * MAX_SLOTS_PER_FREE_SLOT + 1)) - 1);
    world.arrive(id(7), 20);
    expect(world.turn()).toEqual([{ lane: id(7), limit: 20, retries: 4 }]);
    expect(world.book.freeSlots()).toBe(free - 20);
    world.finish(id(0), 1);
    expect(world.turn()).toEqual([]);
    world.finish(id(7), 20);
    expect(world.turn()).not.toEqual([]);
  });

  it("look at none of ten thousand lanes that cannot have a turn", () => {
    const world = createWorld();
    for (let lane = 0; lane < 10_000; lane += 1) {
      world.book.add(id(lane), 10);
      world.book.due(id(lane), (world.clock.wall() + 60_000) as EpochMs);
    }
    expect(world.turn()).toEqual([]);
    expect(world.book.untilNextMs()).toBe(60_000);
    let looks = 0;
    for (let lane = 0; lane < 10_000; lane += 1) {
      const { pace: own } = world.book.lane(id(lane));
      Object.defineProperty(world.book.lane(id(lane)), "pace", {
        get: () => {
          looks += 1;
          return own;
        },
      });
    }
    world.book.due(id(5), world.clock.wall());
    expect(world.turn().map(({ lane }) => lane)).toEqual([id(5)]);
    expect(looks).toBeLessThan(20);
  });

  it("are awaited from the moment when a delivery is due until it is claimed", () => {
    const world = createWorld();
    expect(world.book.isContended()).toBe(false);
    world.arrive(id(1), 1);
    expect(world.book.isContended()).toBe(true);
    world.turn();
    expect(world.book.isContended()).toBe(false);
    expect(world.book.freeSlots()).toBe(MAX_IN_FLIGHT - 1);
  });

  it("keep a fifth of the claimed deliveries for retries, however small the claims", () => {
    const world = createWorld();
    world.arrive(id(1), 5_000);
    let [claimed, retries] = [0, 0];
    for (let turn = 0; turn < 300; turn += 1) {
      for (const { limit, retries: share = 0 } of world.turn()) {
        claimed += limit;
        retries += share;
      }
      world.finish(id(1), 1 + (turn % 3));
    }
    expect(claimed).toBeGreaterThan(300);
    expect(retries).toBe(Math.floor(claimed / 5));
  });
});

function readyLanes({ book, waiting, out }: World): ReadonlySet<DestinationId> {
  const isReady = ([lane, count]: readonly [DestinationId, number]): boolean => {
    const has = out.get(lane) ?? 0;
    return count > 0 && has < book.lane(lane).pace.limit && slotsInShare(has, book.freeSlots()) > 0;
  };
  return new Set([...waiting].filter(isReady).map(([lane]) => lane));
}
