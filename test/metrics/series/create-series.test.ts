import type { SeriesStep } from "@postrider/relay/metrics";
import { describe, expect, it } from "vitest";
import {
  accepted,
  attempted,
  createObservedSeries,
  delivered,
  died,
  retried,
  shed,
  START,
  timeAt,
} from "./observed-series.js";

const STEPS: readonly SeriesStep[] = [10, 300];
const HOUR = 3_600_000;

describe("series", () => {
  it("have for each interval what was counted in it, and what waits at its end", () => {
    const world = createObservedSeries();
    world.take();
    for (const event of [
      accepted(1),
      accepted(0),
      shed(7),
      delivered(),
      delivered(),
      retried(),
      died("crm", "refused"),
    ])
      world.observe(event);
    world.wait("crm", 3);
    world.take(10_000);
    world.observe(delivered());
    world.wait("crm", 1);
    world.take(10_000);
    const { from, until, step, calls, destination } = world.series.read({ step: 10 });
    expect([from, until, step]).toEqual([START, START + 20_000, 10]);
    expect(calls).toEqual({
      ...{ accepted: [1, 0], filtered: [1, 0], duplicate: [0, 0], suppressed: [0, 0], refused: [0, 0], shed: [7, 0] },
    });
    expect(destination).toMatchObject({ delivered: [2, 1], retries: [1, 0], dead: [1, 0], waiting: [3, 1] });
    const long = world.series.read({ step: 300 });
    expect([long.from, long.until, long.step]).toEqual([START, START + 300_000, 300]);
    expect([long.calls.shed, long.destination]).toMatchObject([[7], { delivered: [3], waiting: [1] }]);
  });

  it("have quantiles of what ended in the interval, and none where nothing did", () => {
    const world = createObservedSeries();
    world.take();
    for (const ms of [6, 7, 8, 9]) world.observe(delivered("crm", ms));
    for (const [ms, status] of [[60, 200] as const, [60, 503] as const]) world.observe(attempted("crm", ms, status));
    world.take(10_000);
    world.take(10_000);
    world.observe(delivered("crm", 20_000));
    world.take(10_000);
    const { destination } = world.series.read({ step: 10 });
    expect(destination).toMatchObject({ deliveryP50: [0.0075, null, 20], deliveryP99: [0.00995, null, 29.8] });
    expect(destination).toMatchObject({ requestP50: [0.0625, null, null], requestP99: [0.07475, null, null] });
    // All five: the third is the middle one, three quarters into its bucket of four less a half.
    expect(world.series.read({ step: 300 }).destination?.deliveryP50).toEqual([0.008125]);
  });

  it("are of one destination, of those without a series each, or of all", () => {
    const world = createObservedSeries();
    world.take();
    world.observe(delivered("crm"));
    world.observe(died("mail", "expired", 4));
    world.take(10_000);
    const read = (destination?: string) => world.series.read({ step: 10, destination }).destination;
    expect([read("crm")?.delivered, read("mail")?.delivered, read()?.delivered]).toEqual([[1], [0], [1]]);
    expect([read("crm")?.dead, read("mail")?.dead, read()?.dead]).toEqual([[0], [4], [4]]);
    expect(read("other")).toMatchObject({ delivered: [0], dead: [0] });
    expect(read("none")).toBeUndefined();
  });

  it("begin at the interval of a time, or at the oldest that is kept", () => {
    const world = createObservedSeries();
    world.take();
    for (let interval = 0; interval < 6; interval += 1) {
      world.observe(shed(interval));
      world.take(10_000);
    }
    const since = (seconds: number) => world.series.read({ step: 10, since: timeAt(seconds) });
    expect(since(29.999)).toMatchObject({ from: timeAt(20), until: timeAt(60), calls: { shed: [2, 3, 4, 5] } });
    expect(since(30)).toMatchObject({ from: timeAt(30), calls: { shed: [3, 4, 5] } });
    expect(since(-900)).toMatchObject({ from: timeAt(0), calls: { shed: [0, 1, 2, 3, 4, 5] } });
    expect(since(900)).toMatchObject({ from: timeAt(60), until: timeAt(60), calls: { shed: [] } });
  });

  it("have no interval before the second snapshot", () => {
    const world = createObservedSeries();
    for (const step of STEPS) expect(world.series.read({ step })).toMatchObject({ from: 0, until: 0 });
    world.take();
    for (const step of STEPS) {
      expect(world.series.read({ step })).toMatchObject({ from: START, until: START, calls: { shed: [] } });
    }
  });

  it("count what a snapshot that came late has, in the interval before, as long as none was missed", () => {
    const world = createObservedSeries();
    world.take();
    world.observe(shed(1));
    world.take(19_999);
    world.observe(shed(2));
    world.take(1);
    expect(world.series.read({ step: 10 }).calls.shed).toEqual([1, 2]);
  });

  it("are empty where the process slept, and do not count what was counted then", () => {
    const world = createObservedSeries();
    world.take();
    world.observe(shed(1));
    world.take(10_000);
    world.observe(shed(100));
    world.take(40_000);
    world.observe(shed(2));
    world.take(10_000);
    const { calls, destination } = world.series.read({ step: 10 });
    expect(calls.shed).toEqual([1, null, null, null, null, 2]);
    expect(destination?.waiting).toEqual([0, null, null, null, null, 0]);
    expect(world.series.read({ step: 300 }).calls.shed).toEqual([103]);
  });

  it("forget after a clock was set back what was counted later than it says", () => {
    const world = createObservedSeries();
    world.take();
    for (const calls of [1, 2, 3, 4]) {
      world.observe(shed(calls));
      world.take(10_000);
    }
    world.observe(shed(100));
    world.take(-25_000);
    expect(world.series.read({ step: 10 })).toMatchObject({ until: timeAt(10), calls: { shed: [1] } });
    world.take(5_000);
    world.observe(shed(5));
    world.observe(delivered("crm", 7));
    world.take(10_000);
    expect(world.series.read({ step: 10 }).calls.shed).toEqual([1, 0, 5]);
    expect(world.series.read({ step: 300 }).calls.shed).toEqual([5]);
    expect(world.series.read({ step: 300 }).destination?.deliveryP50).toEqual([0.0075]);
  });

  it("go on after a clock that was wrong by years was set right", () => {
    const world = createObservedSeries(START + 10_000 * HOUR);
    world.take();
    world.take(10_000);
    world.take(-10_000 * HOUR - 10_000);
    world.observe(shed(5));
    world.take(10_000);
    for (const step of STEPS) {
      expect(world.series.read({ step })).toMatchObject({ from: START, calls: { shed: [5] } });
    }
  });

  it("take a counter that has started anew as counted from 0", () => {
    const world = createObservedSeries();
    for (let count = 0; count < 9; count += 1) world.observe(delivered());
    world.take();
    world.restart();
    world.observe(delivered());
    world.take(10_000);
    expect(world.series.read({ step: 10 }).destination).toMatchObject({ delivered: [1], deliveryP50: [0.0175] });
  });

  it.each([[10, 6] as const, [300, 7 * 24] as const])("of %i seconds are kept for %i hours", (step, hours) => {
    const world = createObservedSeries();
    const kept = (hours * 3_600) / step;
    world.take();
    for (let interval = 0; interval < kept + 5; interval += 1) {
      world.observe(shed(interval));
      world.take(step * 1_000);
    }
    const { from, until, calls } = world.series.read({ step });
    expect([from, until]).toEqual([timeAt(5 * step), timeAt((kept + 5) * step)]);
    expect(calls.shed).toEqual(Array.from({ length: kept }, (_, index) => index + 5));
  });

  it("have nothing of before, after a sleep that is longer than they are", () => {
    const world = createObservedSeries();
    world.take();
    world.observe(shed(1));
    world.take(10_000);
    world.take(400 * HOUR);
    world.observe(shed(2));
    world.take(10_000);
    const { calls } = world.series.read({ step: 10 });
    expect([calls.shed.length, calls.shed.at(-1)]).toEqual([2_160, 2]);
    expect(new Set(calls.shed.slice(0, -1))).toEqual(new Set([null]));
  });
});
