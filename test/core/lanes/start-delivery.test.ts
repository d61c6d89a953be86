import type { EpochMs, MonoMs } from "@postrider/core";
import {
  type BackoffReason,
  FIRST_LANE_IN_FLIGHT,
  type LaneOnArrival,
  type LaneState,
  MAX_LANE_IN_FLIGHT,
  startDelivery,
  initialPace,
} from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { MIN_FREE_TO_QUEUE, MAX_SLOTS_PER_FREE_SLOT } from "../../../packages/core/src/limits.js";
import { at, NOW } from "../builders.js";
import { lane, MONO, mono } from "./builders.js";

const waiting = { kind: "waiting", dueAt: NOW };
const claimed = { kind: "claimed" };
const laneFull = { kind: "dead", reason: "lane-full" };

/** Enough free slots for deliveries to be queued in memory. */
const AMPLE = MIN_FREE_TO_QUEUE + 1;

function arrival(changes: Partial<LaneState> = {}, free = AMPLE): LaneOnArrival {
  return {
    lane: lane({ deliveries: 0, nextDueAt: undefined, ...changes }),
    bounds: { maxDeliveries: 3, maxBytes: 100 },
    free,
    isContended: false,
    at: MONO,
  };
}

describe("startDelivery", () => {
  it.each([
    ["an empty lane", { deliveries: 0, bytes: 0 }, 40, claimed],
    ["a lane that can hold one more delivery", { deliveries: 2, bytes: 0 }, 40, claimed],
    ["a lane that can hold no more deliveries", { deliveries: 3, bytes: 0 }, 0, laneFull],
    ["a lane that can hold exactly its bytes", { deliveries: 0, bytes: 60 }, 40, claimed],
    ["a lane that can hold one byte less", { deliveries: 0, bytes: 60 }, 41, laneFull],
    ["a lane that is full in both", { deliveries: 4, bytes: 200 }, 1, laneFull],
  ])("starts a delivery in %s", (_, load, size, start) => {
    expect(startDelivery(arrival(load), size, NOW)).toEqual(start);
  });

  it("hands off a delivery if its lane is open and has a free slot, and lets all others wait", () => {
    expect(startDelivery(arrival({ inFlight: FIRST_LANE_IN_FLIGHT - 1 }), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({ inFlight: FIRST_LANE_IN_FLIGHT }), 1, NOW)).toEqual(waiting);
    expect(startDelivery(arrival({}, 0), 1, NOW)).toEqual(waiting);
    expect(startDelivery(arrival({ isOpen: false }), 1, NOW)).toEqual(waiting);
  });

  it("queues twice as many deliveries of a lane as its limit has grown by", () => {
    const pace = initialPace(0, FIRST_LANE_IN_FLIGHT + 10);
    const after = (inFlight: number, free = AMPLE) => startDelivery(arrival({ pace, inFlight }, free), 1, NOW);
    expect(after(FIRST_LANE_IN_FLIGHT + 29)).toEqual(claimed);
    expect(after(FIRST_LANE_IN_FLIGHT + 30)).toEqual(waiting);
    expect(after(FIRST_LANE_IN_FLIGHT + 29, AMPLE - 1)).toEqual(waiting);
    const contended = { ...arrival({ pace, inFlight: FIRST_LANE_IN_FLIGHT + 10 }), isContended: true };
    expect(startDelivery(contended, 1, NOW)).toEqual(waiting);
  });

  it("hands off nothing in a lane that has its share of all slots", () => {
    const pace = initialPace(0, MAX_LANE_IN_FLIGHT);
    const after = (inFlight: number) => startDelivery(arrival({ pace, inFlight }, 10), 1, NOW);
    expect(after(10 * MAX_SLOTS_PER_FREE_SLOT - 1)).toEqual(claimed);
    expect(after(10 * MAX_SLOTS_PER_FREE_SLOT)).toEqual(waiting);
  });

  it("queues nothing if the limit is below its initial value, or there is a rate limit", () => {
    const slow = initialPace(0, FIRST_LANE_IN_FLIGHT - 20);
    expect(startDelivery(arrival({ pace: slow, inFlight: FIRST_LANE_IN_FLIGHT - 21 }), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({ pace: slow, inFlight: FIRST_LANE_IN_FLIGHT - 20 }, AMPLE), 1, NOW)).toEqual(waiting);
    const rated = { pace: initialPace(0, 100), rateLimit: { perSecond: 1_000, burst: 1_000 } };
    expect(startDelivery(arrival({ ...rated, inFlight: 99 }), 1, NOW)).toEqual(claimed);
    expect(startDelivery(arrival({ ...rated, inFlight: 100 }, AMPLE), 1, NOW)).toEqual(waiting);
  });

  it("hands off a delivery of a lane in backoff that several processes share only as the probe that this one has taken", () => {
    const after = (probeUntil: MonoMs | undefined, reason: BackoffReason = "failing") => {
      const backoff = { reason, probes: 0, probeAt: mono(MONO + 100), freshAt: MONO };
      const leased = { left: 0, until: MONO, askAt: MONO };
      const onBoard = { share: 1, probeUntil, isHastened: false, leased };
      return startDelivery(arrival({ pace: { ...initialPace(0), backoff }, onBoard }), 1, NOW);
    };
    expect(after(undefined)).toEqual(waiting);
    expect(after(MONO)).toEqual(waiting);
    expect(after(mono(MONO + 1))).toEqual(claimed);
    // Whether addresses are allowed again is seen by each process for itself.
    expect(after(undefined, "blocked")).toEqual(claimed);
  });

  it("hands off only a delivery that may serve as the probe in a lane in backoff, even if others are due", () => {
    const after = (backoff: { readonly freshAt: MonoMs }, changes: Partial<LaneState> = {}) => {
      const pace = {
        ...initialPace(0),
        backoff: { reason: "failing" as const, probes: 0, probeAt: mono(MONO + 100), ...backoff },
      };
      return startDelivery(arrival({ pace, nextDueAt: NOW, ...changes }), 1, NOW);
    };
    expect(after({ freshAt: mono(MONO + 1) })).toEqual(waiting);
    expect(after({ freshAt: MONO })).toEqual(claimed);
    expect(after({ freshAt: MONO }, { inFlight: 1 })).toEqual(waiting);
    expect(after({ freshAt: MONO }, { isOpen: false })).toEqual(waiting);
    const rateLimit = { perSecond: 1, burst: 1 };
    expect(after({ freshAt: MONO }, { rateLimit, tokens: { left: 0, at: MONO } })).toEqual(waiting);
  });

  it("hands off as many as there are tokens", () => {
    const rateLimit = { perSecond: 1, burst: 2 };
    const left = (count: number) => startDelivery(arrival({ rateLimit, tokens: { left: count, at: MONO } }), 1, NOW);
    expect(startDelivery(arrival({ rateLimit }), 1, NOW)).toEqual(claimed);
    expect(left(1)).toEqual(claimed);
    expect(left(0.9)).toEqual(waiting);
  });

  it("waits behind deliveries that are due, not behind those that are due later", () => {
    const after = (nextDueAt: EpochMs) => startDelivery(arrival({ nextDueAt }), 1, NOW);
    expect(after(at(NOW - 1))).toEqual(waiting);
    expect(after(NOW)).toEqual(waiting);
    expect(after(at(NOW + 1))).toEqual(claimed);
  });

  it("takes a slot while due deliveries are being claimed, but is not queued", () => {
    const pace = initialPace(0, FIRST_LANE_IN_FLIGHT + 10);
    const after = (inFlight: number) =>
      startDelivery(arrival({ pace, inFlight, nextDueAt: NOW, isClaiming: true }, AMPLE), 1, NOW);
    expect(after(FIRST_LANE_IN_FLIGHT + 9)).toEqual(claimed);
    expect(after(FIRST_LANE_IN_FLIGHT + 10)).toEqual(waiting);
  });
});
