// Laws of series, for any events, any times of snapshots and any number of destinations.

import type { RelayEvent } from "@postrider/relay";
import { type SeriesColumn, type SeriesStep, createRegistry } from "@postrider/relay/metrics";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  OF_DELIVERIES,
  ROW_WIDTH,
  createRows,
  MAX_ROWS,
  OTHER_ROW,
} from "../../../packages/relay/src/metrics/series/totals.js";
import { quantileOf } from "../../../packages/relay/src/metrics/series/tracks.js";
import { epochMs } from "@postrider/core";
import { accepted, attempted, createObservedSeries, delivered, died, retried, shed } from "./observed-series.js";

const STEPS: readonly SeriesStep[] = [10, 300];
const COUNTED = ["delivered", "retries", "dead"] as const;

const anyEvent: fc.Arbitrary<RelayEvent> = fc
  .record({ kind: fc.nat({ max: 6 }), lane: fc.nat({ max: 70 }), count: fc.integer({ min: 1, max: 5_000 }) })
  .map(({ kind, lane, count }): RelayEvent => {
    const name = `d${String(lane)}`;
    const kinds = [
      delivered(name, count),
      retried(name),
      died(name, count % 2 === 0 ? "expired" : "refused", count),
      attempted(name, count, 503),
      shed(count, name),
      accepted(count % 2),
      delivered("crm", count),
    ];
    return kinds[kind]!;
  });

/** What happens until a snapshot is taken, and how long that is: no interval is left out. */
const anyLife = fc.array(fc.record({ events: fc.array(anyEvent, { maxLength: 40 }), ms: fc.nat({ max: 10_000 }) }), {
  maxLength: 40,
});

function sumOf(column: SeriesColumn): number {
  return column.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** The counters of a registry that was told these events, by the names of the series. */
function countersOf(events: readonly RelayEvent[], destination?: string): Readonly<Record<string, number>> {
  const registry = createRegistry();
  for (const event of events) registry.observe(event);
  const sums = new Map<string, number>();
  for (const { name, points } of registry.snapshot([], epochMs(0)).families) {
    for (const point of points) {
      if (!("value" in point)) continue;
      const labels = new Map(point.labels);
      const outcome = labels.get("outcome");
      const isOfOne = destination === undefined || labels.get("destination") === destination;
      const key =
        name === "postrider.calls"
          ? `calls ${String(outcome)}`
          : !isOfOne
            ? "others"
            : name === "postrider.retries"
              ? "retries"
              : outcome === "delivered"
                ? "delivered"
                : "dead";
      sums.set(key, (sums.get(key) ?? 0) + point.value);
    }
  }
  return Object.fromEntries(sums);
}

describe("the counts of all intervals of any life", () => {
  it("are together the differences of the counters between the first snapshot and the last", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), anyLife, fc.nat({ max: 299_999 }), (before, life, ms) => {
        const world = createObservedSeries(1_800_000_000_000 + ms);
        for (const event of before) world.observe(event);
        world.take();
        for (const { events, ms } of life) {
          for (const event of events) world.observe(event);
          world.take(ms);
        }
        const counters = countersOf(life.flatMap(({ events }) => events));
        for (const step of STEPS) {
          const { calls, destination } = world.series.read({ step });
          for (const [outcome, column] of Object.entries(calls))
            expect(sumOf(column), outcome).toBe(counters[`calls ${outcome}`] ?? 0);
          for (const name of COUNTED) expect(sumOf(destination![name]), name).toBe(counters[name] ?? 0);
        }
      }),
    );
  });

  it("of a destination that keeps its series are those of its counters", () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const world = createObservedSeries();
        world.wait("crm", 0);
        // It is the busiest, so no other one takes its place.
        for (let count = 0; count < 2; count += 1) {
          world.take();
          for (let busy = 0; busy < 20; busy += 1) world.observe(died("crm", "expired", 100_000));
        }
        world.take(1);
        const before = sumOf(world.series.read({ step: 10, destination: "crm" }).destination!.dead);
        for (const { events, ms } of life) {
          for (const event of events) world.observe(event);
          world.take(ms);
        }
        const counters = countersOf(
          life.flatMap(({ events }) => events),
          "crm",
        );
        const { destination } = world.series.read({ step: 10, destination: "crm" });
        expect(sumOf(destination!.delivered)).toBe(counters["delivered"] ?? 0);
        expect(sumOf(destination!.dead) - before).toBe(counters["dead"] ?? 0);
      }),
    );
  });

  it("of each series are together those of all, in each interval, whichever destinations have had one", () => {
    fc.assert(
      fc.property(anyLife, (life) => {
        const world = createObservedSeries();
        world.take();
        for (const { events, ms } of life) {
          for (const event of events) world.observe(event);
          world.take(ms);
        }
        const names = [...Array.from({ length: 71 }, (_, lane) => `d${String(lane)}`), "crm", "other"];
        for (const step of STEPS) {
          const each = names.flatMap((destination) => world.series.read({ step, destination }).destination ?? []);
          const all = world.series.read({ step }).destination!;
          for (const name of COUNTED) {
            const sums = all[name].map((count, at) =>
              count === null ? null : each.reduce((sum, one) => sum + (one[name][at] ?? 0), 0),
            );
            expect(sums, name).toEqual(all[name]);
          }
        }
      }),
    );
  });
});

describe("a quantile of any values", () => {
  const { at, bounds } = OF_DELIVERIES;
  const bucketOf = (value: number): number => bounds.filter((bound) => value > bound).length;

  it("is between the bounds of the bucket that has the value of that rank", () => {
    const anyValue = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 20_000, noNaN: true }),
    );
    const anyShare = fc.double({ min: 0.01, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 300 }), anyShare, (values, share) => {
        const row = new Float64Array(ROW_WIDTH);
        for (const value of values) row[at + bucketOf(value)]! += 1;
        const sorted = values.toSorted((one, other) => one - other);
        const bucket = bucketOf(sorted[Math.ceil(values.length * share) - 1]!);
        const found = quantileOf(row, OF_DELIVERIES, share);
        const last = bounds.at(-1)!;
        expect(found).toBeGreaterThanOrEqual(bounds[bucket - 1] ?? 0);
        expect(found).toBeLessThanOrEqual(bounds[bucket] ?? last);
      }),
    );
  });

  it("is none without values", () => {
    expect(quantileOf(new Float64Array(ROW_WIDTH), OF_DELIVERIES, 0.5)).toBeNaN();
  });
});

describe("the rows of destinations", () => {
  it("are as many as a registry has labels, of however many there are", () => {
    const rows = createRows();
    const given = Array.from({ length: 10_000 }, (_, index) => rows.at(`d${String(index)}`));
    expect([rows.count(), new Set(given).size]).toEqual([MAX_ROWS, MAX_ROWS]);
    expect([given.at(-1), rows.at("other"), rows.at("d3"), rows.find("late")]).toEqual([
      OTHER_ROW,
      OTHER_ROW,
      4,
      undefined,
    ]);
  });
});
