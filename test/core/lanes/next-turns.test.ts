import { type LaneView, laneRoom, nextTurns, nextWake } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, laneId, NOW } from "../builders.js";

function lane(id: string, changes: Partial<Omit<LaneView, "lane">> = {}): LaneView {
  return { lane: laneId(id), inFlight: 0, nextDueAt: NOW, isOpen: true, ...changes };
}

/** A lane of which nothing is known to be due. */
function idle(id: string): LaneView {
  return { lane: laneId(id), inFlight: 0, isOpen: true };
}

const views = () =>
  fc.uniqueArray(
    fc.record(
      {
        lane: fc.nat(30).map((n) => laneId(`lane${String(n)}`)),
        inFlight: fc.nat(40),
        nextDueAt: fc.integer({ min: NOW - 5, max: NOW + 5 }).map(at),
        isOpen: fc.boolean(),
      },
      { requiredKeys: ["lane", "inFlight", "isOpen"] },
    ),
    { selector: (view) => view.lane, maxLength: 30 },
  );

describe("laneRoom", () => {
  it.each([
    ["an idle lane has room for 32", lane("a"), 32],
    ["what is under way takes room", lane("a", { inFlight: 31 }), 1],
    ["a full lane has none", lane("a", { inFlight: 32 }), 0],
    ["an overfull lane has none", lane("a", { inFlight: 40 }), 0],
    ["a closed lane has none", lane("a", { isOpen: false }), 0],
    ["a lane that is not due has none", lane("a", { nextDueAt: at(NOW + 1) }), 0],
    ["a lane of which nothing is known has none", idle("a"), 0],
  ])("%s", (_, view, room) => {
    expect(laneRoom(view, NOW)).toBe(room);
  });
});

describe("nextTurns", () => {
  it("gives every due lane its room, in the order given", () => {
    const turns = nextTurns([lane("a"), lane("b", { inFlight: 30 })], undefined, NOW);
    expect(turns).toEqual({
      grants: [
        { lane: "a", limit: 32 },
        { lane: "b", limit: 2 },
      ],
      last: "b",
    });
  });

  it("begins behind the lane that was served last", () => {
    const turns = nextTurns([lane("a"), lane("b"), lane("c")], laneId("b"), NOW);
    expect(turns.grants.map((grant) => grant.lane)).toEqual(["c", "a", "b"]);
    expect(turns.last).toBe("b");
  });

  it("begins at the front when the lane that was served last is gone", () => {
    expect(nextTurns([lane("a"), lane("b")], laneId("gone"), NOW).grants.map((grant) => grant.lane)).toEqual([
      "a",
      "b",
    ]);
  });

  it("remembers who was served last when nobody is served", () => {
    expect(nextTurns([idle("a")], laneId("a"), NOW)).toEqual({ grants: [], last: "a" });
    expect(nextTurns([], undefined, NOW)).toStrictEqual({ grants: [] });
  });

  it("gives the last room to whoever comes first, and nothing to the rest", () => {
    const busy = lane("busy", { inFlight: 500, isOpen: false });
    expect(nextTurns([busy, lane("a"), lane("b")], undefined, NOW)).toEqual({
      grants: [{ lane: "a", limit: 12 }],
      last: "a",
    });
  });

  it("gives nothing when all room is taken", () => {
    expect(nextTurns([lane("busy", { inFlight: 512 }), lane("a")], undefined, NOW)).toEqual({ grants: [] });
  });

  it("never grants a lane more than its room, nor all together more than 512", () => {
    fc.assert(
      fc.property(views(), fc.option(fc.constant(laneId("lane3")), { nil: undefined }), (lanes, last) => {
        const { grants } = nextTurns(lanes, last, NOW);
        const inFlight = lanes.reduce((sum, view) => sum + view.inFlight, 0);
        const granted = grants.reduce((sum, grant) => sum + grant.limit, 0);
        expect(granted).toBeLessThanOrEqual(Math.max(0, 512 - inFlight));
        for (const { lane: id, limit } of grants) {
          expect(limit).toBeGreaterThan(0);
          expect(limit).toBeLessThanOrEqual(
            laneRoom(
              lanes.find((view) => view.lane === id)!,
              NOW,
            ),
          );
        }
      }),
    );
  });

  it("serves every due lane within a few turns, however many there are", () => {
    const lanes = Array.from({ length: 50 }, (_, index) => lane(`lane${String(index)}`));
    const served = new Set<string>();
    let last: LaneView["lane"] | undefined;
    for (let turn = 0; turn < 4; turn += 1) {
      const turns = nextTurns(lanes, last, NOW);
      for (const grant of turns.grants) served.add(grant.lane);
      last = turns.last;
    }
    expect(served.size).toBe(50);
  });
});

describe("nextWake", () => {
  it("is the earliest due time of the lanes that have room", () => {
    const lanes = [lane("a", { nextDueAt: at(9) }), lane("b", { nextDueAt: at(7) }), lane("c", { nextDueAt: at(8) })];
    expect(nextWake(lanes)).toBe(7);
  });

  it("passes over lanes that are closed, full, or have nothing", () => {
    const lanes = [
      lane("closed", { nextDueAt: at(1), isOpen: false }),
      lane("full", { nextDueAt: at(2), inFlight: 32 }),
      idle("nothing"),
      lane("nearly full", { nextDueAt: at(3), inFlight: 31 }),
    ];
    expect(nextWake(lanes)).toBe(3);
  });

  it("is undefined when no lane has both work and room", () => {
    expect(nextWake([])).toBeUndefined();
    expect(nextWake([idle("a")])).toBeUndefined();
    expect(nextWake([lane("a", { isOpen: false })])).toBeUndefined();
  });

  it("is undefined once all room is taken, until a settlement makes some", () => {
    expect(nextWake([lane("a"), lane("busy", { inFlight: 512 })])).toBeUndefined();
    expect(nextWake([lane("a"), lane("busy", { inFlight: 511 })])).toBe(NOW);
  });
});
