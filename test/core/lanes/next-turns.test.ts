import { MAX_CLAIMED_DELIVERIES } from "@postrider/core";
import {
  type ClaimGrant,
  MAX_IN_FLIGHT,
  nextTurns,
  type ReadyLane,
  slotsInShare,
  MAX_DELIVERIES_PER_TURN,
} from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { laneId } from "../builders.js";

const ready = (id: string, slots: number, inFlight = 0): ReadyLane => ({ lane: laneId(id), slots, inFlight });
const limits = (grants: readonly ClaimGrant[]): readonly (readonly [string, number])[] =>
  grants.map(({ lane, limit }) => [lane, limit]);

const readyLanes = fc.uniqueArray(
  fc.record({
    lane: fc.nat(30).map((n) => laneId(`lane${String(n)}`)),
    slots: fc.integer({ min: 1, max: 200 }),
    inFlight: fc.nat(100),
  }),
  { selector: ({ lane }) => lane, maxLength: 20 },
);
const free = fc.nat(MAX_IN_FLIGHT);

describe("nextTurns", () => {
  it("grants every lane all that it can use, if there are slots for all", () => {
    expect(limits(nextTurns([ready("a", 5), ready("b", 100)], { free: 500, isAll: true }))).toEqual([
      ["a", 5],
      ["b", 100],
    ]);
  });

  it("grants one turn to each lane after the other, up to its share", () => {
    const turns = nextTurns([ready("a", 100), ready("b", 100), ready("c", 10)], { free: 110, isAll: true });
    expect(limits(turns)).toEqual([
      ["c", 10],
      ["a", 63],
      ["b", 35],
    ]);
  });

  it("grants no second turn while further lanes wait for their first", () => {
    expect(limits(nextTurns([ready("a", 100), ready("b", 3)], { free: 500, isAll: false }))).toEqual([
      ["a", MAX_DELIVERIES_PER_TURN],
      ["b", 3],
    ]);
  });

  it("grants nothing to a lane that is at its limit or its share", () => {
    const lanes = [ready("a", -15), ready("b", 0), ready("c", 3), ready("d", 9, 480)];
    expect(limits(nextTurns(lanes, { free: 40, isAll: true }))).toEqual([["c", 3]]);
  });

  it("grants nothing without free slots or lanes", () => {
    expect(nextTurns([ready("a", 100)], { free: 0, isAll: true })).toEqual([]);
    expect(nextTurns([], { free: 10, isAll: true })).toEqual([]);
  });

  it("grants at most as many deliveries as a claim may have", () => {
    const lanes = ["a", "b", "c", "d"].map((id) => ready(id, 150));
    const granted = limits(nextTurns(lanes, { free: MAX_IN_FLIGHT, isAll: true }));
    expect(granted.map(([, limit]) => limit)).toEqual([64, 64, 64, 64]);
    expect(4 * 64).toBe(MAX_CLAIMED_DELIVERIES);
  });

  it("grants no more than is free, and leaves no slot within the share of a lane, unless the claim is full", () => {
    fc.assert(
      fc.property(readyLanes, free, (lanes, slots) => {
        const granted = new Map(nextTurns(lanes, { free: slots, isAll: true }).map((one) => [one.lane, one.limit]));
        const total = [...granted.values()].reduce((sum, limit) => sum + limit, 0);
        const left = slots - total;
        expect(left).toBeGreaterThanOrEqual(0);
        expect(total).toBeLessThanOrEqual(MAX_CLAIMED_DELIVERIES);
        for (const lane of lanes) {
          const had = granted.get(lane.lane) ?? 0;
          expect(had).toBeLessThanOrEqual(lane.slots);
          const isDone = had === lane.slots || total === MAX_CLAIMED_DELIVERIES;
          if (!isDone) expect(slotsInShare(lane.inFlight + had, left)).toBe(0);
        }
        for (const limit of granted.values()) expect(limit).toBeGreaterThan(0);
      }),
    );
  });

  it("leaves no lane more than a turn behind another one that had as many in flight", () => {
    const alike = readyLanes.map((lanes) => lanes.map((lane) => ({ ...lane, inFlight: 0 })));
    fc.assert(
      fc.property(alike, free, fc.boolean(), (lanes, slots, isAll) => {
        const granted = new Map(nextTurns(lanes, { free: slots, isAll }).map(({ lane, limit }) => [lane, limit]));
        const most = Math.max(0, ...granted.values());
        for (const { lane, slots: wanted } of lanes) {
          const had = granted.get(lane) ?? 0;
          if (had < wanted) expect(most - had).toBeLessThanOrEqual(MAX_DELIVERIES_PER_TURN);
        }
      }),
    );
  });
});
