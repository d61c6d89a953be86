// The turns of lanes over whole lives: deliveries come, wait, are claimed and end, in whatever order; the store is a number
// for each lane. What a turn costs is counted in lanes that it looks at.

import {
  type DeliveryId,
  type DestinationId,
  type EpochMs,
  type LaneClaim,
  MAX_IN_FLIGHT,
  MAX_LANE_IN_FLIGHT,
  RESERVED_IN_FLIGHT,
  TURN_DELIVERIES,
} from "@postrider/core";
import { createManualClock, createSeededRandom, type ManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLaneBook, type LaneBook } from "../../../packages/relay/src/books/lane-book.js";

const id = (lane: number): DestinationId => `lane${String(lane)}` as DestinationId;

interface World {
  readonly book: LaneBook;
  readonly clock: ManualClock;
  /** How many wait in each lane, due at once, and how many of each are under way. */
  readonly waiting: Map<DestinationId, number>;
  readonly out: Map<DestinationId, number>;
  arrive(lane: DestinationId, count: number): void;
  turn(): readonly LaneClaim[];
  finish(lane: DestinationId, count: number): void;
}

function createWorld(): World {
  const clock = createManualClock();
  const settings = { isOpen: () => true, destination: () => undefined };
  const book = createLaneBook({ clock, random: createSeededRandom(1), settings });
  const [waiting, out] = [new Map<DestinationId, number>(), new Map<DestinationId, number>()];
  const add = (to: Map<DestinationId, number>, lane: DestinationId, count: number): void => {
    to.set(lane, (to.get(lane) ?? 0) + count);
  };
  return {
    book,
    clock,
    waiting,
    out,
    arrive: (lane, count): void => {
      for (let one = 0; one < count; one += 1) book.grow(lane, 10);
      add(waiting, lane, count);
      book.due(lane, clock.wall());
    },
    turn: () => {
      const claims = book.nextClaims();
      const brought = claims.map(({ lane, limit }) => Math.min(limit, waiting.get(lane) ?? 0));
      for (const [index, { lane }] of claims.entries()) add(waiting, lane, -(brought[index] ?? 0));
      const still = claims.filter(({ lane }) => (waiting.get(lane) ?? 0) > 0);
      book.answered(claims, new Map<DestinationId, EpochMs>(still.map(({ lane }) => [lane, clock.wall()])));
      for (const [index, { lane }] of claims.entries()) {
        for (let one = 0; one < (brought[index] ?? 0); one += 1) {
          book.begin(lane);
          book.countBegun(lane, 1);
        }
        add(out, lane, brought[index] ?? 0);
      }
      return claims;
    },
    finish: (lane, count): void => {
      const ending = Math.min(count, out.get(lane) ?? 0);
      for (let one = 0; one < ending; one += 1) {
        book.ended(lane, { delivery: "any" as DeliveryId, signal: "success" });
        book.shrink(lane, 10);
        book.countBegun(lane, -1);
        book.finish(lane);
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

/** Enough under way that room is scarce. */
function crowd(world: World): void {
  for (let round = 0; round < 12; round += 1) {
    for (let lane = 0; lane < LANES; lane += 1) world.arrive(id(lane), 400);
    for (let lane = 0; round < 11 && lane < LANES; lane += 1) world.finish(id(lane), 400);
    world.turn();
  }
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
          const ready = readyLanes(world);
          const claims = world.turn();
          for (const lane of world.waiting.keys()) {
            const isServed = !ready.has(lane) || claims.some((claim) => claim.lane === lane);
            const others = isServed
              ? new Map<DestinationId, number>()
              : (since.get(lane) ?? new Map<DestinationId, number>());
            for (const { lane: other, limit } of isServed ? [] : claims)
              others.set(other, (others.get(other) ?? 0) + limit);
            since.set(lane, others);
            for (const had of others.values()) expect(had).toBeLessThanOrEqual(TURN_DELIVERIES);
          }
        }
      }),
    );
  });

  it("keep to the bounds of each lane and of all, and leave no place unused that somebody could have", () => {
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
          if (step.kind === "turn" && under < MAX_IN_FLIGHT) expect([...readyLanes(world)]).toEqual([]);
        }
        for (let round = 0; round < 1_000 && [...world.waiting.values()].some((count) => count > 0); round += 1) {
          world.turn();
          for (const lane of world.out.keys()) world.finish(lane, MAX_LANE_IN_FLIGHT);
        }
        expect([...world.waiting.values()].every((count) => count === 0)).toBe(true);
      }),
    );
  });

  it("are none for a lane whose limit was halved below what it has under way", () => {
    const world = createWorld();
    world.arrive(id(0), 100);
    world.turn();
    world.finish(id(0), 1);
    world.book.ended(id(0), { delivery: "any" as DeliveryId, signal: "local" });
    expect(world.turn()).toEqual([]);
    expect(world.book.room()).toBe(MAX_IN_FLIGHT - 31);
  });

  it.each([1, 40, 100])("give every lane its share, where %i places come free at a time", (free) => {
    const world = createWorld();
    crowd(world);
    const had = new Map<DestinationId, number>();
    for (let given = 0; given < 20 * LANES * TURN_DELIVERIES; given += free) {
      const [busiest] = [...world.out].sort(([, one], [, other]) => other - one)[0] ?? [id(0)];
      world.finish(busiest, free);
      world.arrive(busiest, free);
      for (const { lane, limit } of world.turn()) had.set(lane, (had.get(lane) ?? 0) + limit);
    }
    const shares = [...had.values()];
    expect(shares).toHaveLength(LANES);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2 * TURN_DELIVERIES);
  });

  it("look at no lane that cannot have one, among ten thousand", () => {
    const world = createWorld();
    for (let lane = 0; lane < 10_000; lane += 1) {
      world.book.grow(id(lane), 10);
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

  it("keep some places from fresh deliveries while a lane waits for its turn", () => {
    const world = createWorld();
    expect(world.book.room()).toBe(MAX_IN_FLIGHT);
    world.arrive(id(1), 1);
    expect(world.book.room()).toBe(MAX_IN_FLIGHT - RESERVED_IN_FLIGHT);
    world.turn();
    expect(world.book.room()).toBe(MAX_IN_FLIGHT - 1);
  });

  it("keep a fifth of what is claimed for retries, however small the claims", () => {
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
  const isReady = ([lane, count]: readonly [DestinationId, number]): boolean =>
    count > 0 && (out.get(lane) ?? 0) < book.lane(lane).pace.limit;
  return new Set([...waiting].filter(isReady).map(([lane]) => lane));
}
