import { type EpochMs, type LaneOnArrival, type LaneView, MAX_LANE_IN_FLIGHT, startDelivery } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { at, laneId, NOW } from "../builders.js";

const waiting = { kind: "waiting", dueAt: NOW };
const claimed = { kind: "claimed" };
const laneFull = { kind: "dead", reason: "lane-full" };

function arrival(changes: Partial<LaneOnArrival> = {}, view: Partial<LaneView> = {}): LaneOnArrival {
  return {
    load: { deliveries: 0, bytes: 0 },
    bounds: { maxDeliveries: 3, maxBytes: 100 },
    view: { lane: laneId("crm"), inFlight: 0, isOpen: true, ...view },
    room: 1,
    ...changes,
  };
}

describe("startDelivery", () => {
  it.each([
    ["an empty lane", { deliveries: 0, bytes: 0 }, 40, claimed],
    ["a lane with one place left", { deliveries: 2, bytes: 0 }, 40, claimed],
    ["a lane without a place left", { deliveries: 3, bytes: 0 }, 0, laneFull],
    ["a lane with just the bytes left", { deliveries: 0, bytes: 60 }, 40, claimed],
    ["a lane with a byte too few", { deliveries: 0, bytes: 60 }, 41, laneFull],
    ["a lane with neither", { deliveries: 4, bytes: 200 }, 1, laneFull],
  ])("starts a delivery in %s", (_, load, size, start) => {
    expect(startDelivery(arrival({ load }), size, NOW)).toEqual(start);
  });

  it("hands on what comes into a lane that is open and has room, and lets all else wait", () => {
    const last: Partial<LaneView> = { inFlight: MAX_LANE_IN_FLIGHT - 1 };
    expect(startDelivery(arrival({}, last), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({}, { inFlight: MAX_LANE_IN_FLIGHT }), 1, NOW)).toEqual(waiting);
    expect(startDelivery(arrival({ room: 0 }), 1, NOW)).toEqual(waiting);
    expect(startDelivery(arrival({}, { isOpen: false }), 1, NOW)).toEqual(waiting);
  });

  it("goes behind whoever waits and is due, not behind who is due later", () => {
    const after = (nextDueAt: EpochMs) => startDelivery(arrival({}, { nextDueAt }), 1, NOW);
    expect(after(at(NOW - 1))).toEqual(waiting);
    expect(after(NOW)).toEqual(waiting);
    expect(after(at(NOW + 1))).toEqual(claimed);
  });
});
