import {
  type EpochMs,
  FIRST_LANE_IN_FLIGHT,
  type LaneOnArrival,
  type LaneState,
  RESERVED_IN_FLIGHT,
  startDelivery,
  startPace,
} from "@postrider/core";
import { describe, expect, it } from "vitest";
import { at, NOW } from "../builders.js";
import { lane, MONO } from "./builders.js";

const waiting = { kind: "waiting", dueAt: NOW };
const claimed = { kind: "claimed" };
const laneFull = { kind: "dead", reason: "lane-full" };

/** So much room that some of it is not kept for lanes that wait for their turn. */
const AMPLE = RESERVED_IN_FLIGHT + 1;

function arrival(changes: Partial<LaneState> = {}, room = 1): LaneOnArrival {
  return {
    lane: lane({ deliveries: 0, nextDueAt: undefined, ...changes }),
    bounds: { maxDeliveries: 3, maxBytes: 100 },
    room,
    at: MONO,
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
    expect(startDelivery(arrival(load), size, NOW)).toEqual(start);
  });

  it("hands on what comes into a lane that is open and has room, and lets all else wait", () => {
    expect(startDelivery(arrival({ inFlight: FIRST_LANE_IN_FLIGHT - 1 }), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({ inFlight: FIRST_LANE_IN_FLIGHT }), 1, NOW)).toEqual(waiting);
    expect(startDelivery(arrival({}, 0), 1, NOW)).toEqual(waiting);
    expect(startDelivery(arrival({ isOpen: false }), 1, NOW)).toEqual(waiting);
  });

  it("lets those of a lane that has shown what it can take stand in line, twice as many as its limit has grown by", () => {
    const pace = startPace(0, FIRST_LANE_IN_FLIGHT + 10);
    const after = (inFlight: number, room = AMPLE) => startDelivery(arrival({ pace, inFlight }, room), 1, NOW);
    expect(after(FIRST_LANE_IN_FLIGHT + 29)).toEqual(claimed);
    expect(after(FIRST_LANE_IN_FLIGHT + 30)).toEqual(waiting);
    expect(after(FIRST_LANE_IN_FLIGHT + 29, AMPLE - 1)).toEqual(waiting);
  });

  it("lets nobody stand in line where the limit is smaller than at first, or there is a rate", () => {
    const slow = startPace(0, FIRST_LANE_IN_FLIGHT - 20);
    expect(startDelivery(arrival({ pace: slow, inFlight: FIRST_LANE_IN_FLIGHT - 21 }), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({ pace: slow, inFlight: FIRST_LANE_IN_FLIGHT - 20 }, AMPLE), 1, NOW)).toEqual(waiting);
    const rated = { pace: startPace(0, 100), rateLimit: { perSecond: 1_000, burst: 1_000 } };
    expect(startDelivery(arrival({ ...rated, inFlight: 99 }), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({ ...rated, inFlight: 100 }, AMPLE), 1, NOW)).toEqual(waiting);
  });

  it("hands nothing on in a lane that is held: a probe is claimed", () => {
    const pace = { ...startPace(0), hold: { probes: 0, probeAt: MONO } };
    expect(startDelivery(arrival({ pace }), 1, NOW)).toEqual(waiting);
  });

  it("hands on as many as there are tokens for", () => {
    const rateLimit = { perSecond: 1, burst: 2 };
    const left = (count: number) => startDelivery(arrival({ rateLimit, tokens: { left: count, at: MONO } }), 1, NOW);
    expect(startDelivery(arrival({ rateLimit }), 1, NOW)).toEqual(claimed);
    expect(left(1)).toEqual(claimed);
    expect(left(0.9)).toEqual(waiting);
  });

  it("goes behind whoever waits and is due, not behind who is due later", () => {
    const after = (nextDueAt: EpochMs) => startDelivery(arrival({ nextDueAt }), 1, NOW);
    expect(after(at(NOW - 1))).toEqual(waiting);
    expect(after(NOW)).toEqual(waiting);
    expect(after(at(NOW + 1))).toEqual(claimed);
  });

  it("takes a place beside those who wait, but none in line, while they are being claimed", () => {
    const pace = startPace(0, FIRST_LANE_IN_FLIGHT + 10);
    const after = (inFlight: number) =>
      startDelivery(arrival({ pace, inFlight, nextDueAt: NOW, isAsked: true }, AMPLE), 1, NOW);
    expect(after(FIRST_LANE_IN_FLIGHT + 9)).toEqual(claimed);
    expect(after(FIRST_LANE_IN_FLIGHT + 10)).toEqual(waiting);
  });
});
