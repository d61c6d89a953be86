import { describe, expect, it } from "vitest";
import { createObservedSeries, delivered, died, type ObservedSeries, retried } from "./observed-series.js";

const LANES = 50;

function nameOf(index: number): string {
  return `d${String(index)}`;
}

/** As many destinations as have a series each, each with two deaths. */
function createFull(): ObservedSeries {
  const world = createObservedSeries();
  world.take();
  for (let lane = 0; lane < LANES; lane += 1) world.observe(died(nameOf(lane), "expired", 2));
  world.observe(died("d7", "expired", 98));
  world.take(10_000);
  return world;
}

function deadOf({ series }: ObservedSeries, destination?: string): readonly (number | null)[] | undefined {
  return series.read({ step: 10, destination }).destination?.dead;
}

describe("the destinations that have a series each", () => {
  it("are the first ones, whether they are busy or not, and lanes too that have only waited", () => {
    const world = createObservedSeries();
    world.take();
    world.wait("quiet", 5);
    world.take(10_000);
    expect(world.series.read({ step: 10, destination: "quiet" }).destination).toMatchObject({
      ...{ delivered: [0], waiting: [5] },
    });
  });

  it("are replaced, the quietest one first, by one that is more than twice as busy", () => {
    const world = createFull();
    world.observe(died("late", "expired", 3));
    world.take(10_000);
    expect(deadOf(world, "late")).toBeUndefined();
    expect(deadOf(world, "other")).toEqual([0, 3]);
    world.observe(died("late", "expired", 2));
    world.take(10_000);
    expect(deadOf(world, "late")).toEqual([null, null, 2]);
    expect([deadOf(world, "d0"), deadOf(world, "d1"), deadOf(world, "d7")]).toEqual([
      undefined,
      [2, 0, 0],
      [100, 0, 0],
    ]);
    // The other ones have all that has no series any more, so that the sum of all series is that of all.
    expect(deadOf(world, "other")).toEqual([2, 3, 0]);
    expect(deadOf(world)).toEqual([198, 3, 2]);
  });

  it("are those that were busy of late: what was an hour ago counts half", () => {
    const world = createFull();
    world.take(10_000);
    world.take(3_600_000);
    world.observe(died("late", "expired", 1));
    world.take(10_000);
    expect(deadOf(world, "late")).toBeUndefined();
    world.observe(died("late", "expired", 1));
    world.take(10_000);
    expect(deadOf(world, "late")?.at(-1)).toBe(1);
  });

  it.each([
    ["deliveries", delivered],
    ["failed rounds", retried],
    ["deaths", died],
  ])("are chosen by their %s", (_what, event) => {
    const world = createFull();
    for (let count = 0; count < 5; count += 1) world.observe(event("late"));
    world.take(10_000);
    expect(deadOf(world, "late")).toBeDefined();
  });

  it("are replaced at once by a busier one that comes with them", () => {
    const world = createObservedSeries();
    world.take();
    for (let lane = 0; lane < LANES; lane += 1) world.observe(died(nameOf(lane), "expired", 2));
    world.observe(died("late", "expired", 5));
    world.take(10_000);
    expect([deadOf(world, "d0"), deadOf(world, "late"), deadOf(world, "other")]).toEqual([undefined, [5], [2]]);
  });

  it("count each of their deliveries once, however quick it was", () => {
    const world = createFull();
    for (let count = 0; count < 3; count += 1) world.observe(delivered("late", 1));
    world.take(10_000);
    expect(deadOf(world, "late")).toBeUndefined();
  });

  it("leave what they waited for, and the quantiles of the interval, to the others", () => {
    const world = createObservedSeries();
    world.take();
    world.wait("first", 9);
    world.observe(delivered("first", 7));
    world.take(5_000);
    for (let lane = 0; lane < LANES; lane += 1) {
      for (let count = 0; count < 9; count += 1) world.observe(died(nameOf(lane)));
    }
    world.take(1_000);
    const of = (destination: string) => world.series.read({ step: 10, destination }).destination;
    expect(of("first")).toBeUndefined();
    expect(of("other")).toMatchObject({ delivered: [1], deliveryP50: [0.0075], waiting: [9] });
    expect(of("d49")).toMatchObject({ delivered: [0], dead: [9], deliveryP50: [null], waiting: [0] });
  });

  it("are 50 of 10,000, and each is counted once", () => {
    const world = createObservedSeries();
    world.take();
    const names = Array.from({ length: 10_000 }, (_, index) => nameOf(index));
    for (let round = 0; round < 3; round += 1) {
      for (const name of names) {
        world.observe(delivered(name));
        world.wait(name, 1);
      }
      world.take(10_000);
    }
    const of = (destination?: string) => world.series.read({ step: 300, destination }).destination;
    const placed = names.flatMap((name) => of(name) ?? []);
    expect(placed).toHaveLength(LANES);
    expect([of()?.delivered, of()?.waiting]).toEqual([[30_000], [10_000]]);
    expect(of("other")).toMatchObject({ delivered: [30_000 - LANES * 3], waiting: [10_000 - LANES] });
  });
});
