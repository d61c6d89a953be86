import { nextTurns, type ReadyLane, TURN_DELIVERIES, type Turns } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { laneId } from "../builders.js";

const ready = (id: string, places: number, owed = 0): ReadyLane => ({ lane: laneId(id), places, owed });
const limits = ({ grants }: Turns): readonly (readonly [string, number])[] =>
  grants.map(({ lane, limit }) => [lane, limit]);

const readyLanes = fc.uniqueArray(
  fc.record({
    lane: fc.nat(30).map((n) => laneId(`lane${String(n)}`)),
    places: fc.integer({ min: 1, max: 200 }),
    owed: fc.constant(0),
  }),
  { selector: ({ lane }) => lane, maxLength: 20 },
);

describe("nextTurns", () => {
  it("gives every lane what it can make use of, where there is room for all", () => {
    expect(limits(nextTurns([ready("a", 5), ready("b", 100)], { room: 500, isAll: true }))).toEqual([
      ["a", 5],
      ["b", 100],
    ]);
  });

  it("gives a turn's worth to one lane after the other, until no room is left", () => {
    const turns = nextTurns([ready("a", 100), ready("b", 100), ready("c", 10)], { room: 110, isAll: true });
    expect(limits(turns)).toEqual([
      ["c", 10],
      ["a", 64],
      ["b", 36],
    ]);
  });

  it("says whose turn was cut short, and gives it the rest first", () => {
    const cut = nextTurns([ready("a", 100), ready("b", 100)], { room: 40, isAll: true });
    expect(cut).toEqual({
      grants: [
        { lane: "a", limit: 32 },
        { lane: "b", limit: 8 },
      ],
      cutShort: { lane: "b", owed: 24 },
    });
    expect(limits(nextTurns([ready("b", 100, 24), ready("a", 100)], { room: 56, isAll: true }))).toEqual([
      ["b", 24],
      ["a", 32],
    ]);
    expect(nextTurns([ready("b", 100, 24)], { room: 1, isAll: true }).cutShort).toEqual({ lane: "b", owed: 23 });
  });

  it("gives nobody a second turn while further lanes wait for their first", () => {
    expect(limits(nextTurns([ready("a", 100), ready("b", 3)], { room: 500, isAll: false }))).toEqual([
      ["a", TURN_DELIVERIES],
      ["b", 3],
    ]);
  });

  it("gives nothing to a lane that has come to have too much under way", () => {
    expect(limits(nextTurns([ready("a", -15), ready("b", 0), ready("c", 3)], { room: 40, isAll: true }))).toEqual([
      ["c", 3],
    ]);
  });

  it("gives nothing where there is no room, or nobody", () => {
    expect(nextTurns([ready("a", 100)], { room: 0, isAll: true })).toEqual({ grants: [] });
    expect(nextTurns([], { room: 10, isAll: true })).toEqual({ grants: [] });
  });

  it("gives out as much as there is room for, and to no lane more than it can make use of", () => {
    fc.assert(
      fc.property(readyLanes, fc.nat(2_000), (lanes, room) => {
        const { grants } = nextTurns(lanes, { room, isAll: true });
        const places = new Map(lanes.map((one) => [one.lane, one.places]));
        const wanted = lanes.reduce((sum, one) => sum + one.places, 0);
        expect(grants.reduce((sum, { limit }) => sum + limit, 0)).toBe(Math.min(room, wanted));
        for (const { lane, limit } of grants) {
          expect(limit).toBeGreaterThan(0);
          expect(limit).toBeLessThanOrEqual(places.get(lane) ?? 0);
        }
      }),
    );
  });

  it("gives no lane more than a turn beyond what a lane got that could have had more", () => {
    fc.assert(
      fc.property(readyLanes, fc.nat(2_000), fc.boolean(), (lanes, room, isAll) => {
        const granted = new Map(nextTurns(lanes, { room, isAll }).grants.map(({ lane, limit }) => [lane, limit]));
        const most = Math.max(0, ...granted.values());
        for (const { lane, places } of lanes) {
          const had = granted.get(lane) ?? 0;
          if (had < places) expect(most - had).toBeLessThanOrEqual(TURN_DELIVERIES);
        }
      }),
    );
  });
});
