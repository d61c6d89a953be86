import { mayStartRound, usableSlots, readinessOf, initialPace } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { MAX_SLOTS_PER_FREE_SLOT } from "../../../packages/core/src/limits.js";
import { at, NOW } from "../builders.js";
import { lane, MOMENT, MONO, mono } from "./builders.js";

const inBackoff = (probeAt: number) => ({
  ...initialPace(0),
  backoff: { reason: "failing" as const, probes: 0, probeAt: mono(probeAt), freshAt: mono(0) },
});
const idle = { kind: "idle" };
const ready = { kind: "ready" };

describe("standingOf", () => {
  it.each([
    ["that is due and has free slots is ready", lane(), ready],
    ["with one free slot is ready", lane({ inFlight: 31 }), ready],
    ["without a free slot waits for a settlement", lane({ inFlight: 32 }), idle],
    ["that is closed waits for other settings", lane({ isOpen: false }), idle],
    ["without a known delivery waits for one", lane({ nextDueAt: undefined }), idle],
    ["that is due later waits until then", lane({ nextDueAt: at(NOW + 5) }), { kind: "due", at: NOW + 5 }],
    ["in backoff waits for its probe", lane({ pace: inBackoff(MONO + 9) }), { kind: "paused", until: MONO + 9 }],
    ["in backoff is ready for its probe when that is due", lane({ pace: inBackoff(MONO) }), ready],
    ["in backoff has no second probe", lane({ pace: inBackoff(MONO), inFlight: 1 }), idle],
    ["with a token left is ready", lane({ rateLimit: { perSecond: 10, burst: 1 } }), ready],
    [
      "without a token waits for the next one",
      lane({ rateLimit: { perSecond: 10, burst: 1 }, tokens: { left: 0, at: MONO } }),
      { kind: "paused", until: MONO + 100 },
    ],
    [
      "that waits for both waits for the later",
      lane({ pace: inBackoff(MONO + 300), rateLimit: { perSecond: 10, burst: 1 }, tokens: { left: 0, at: MONO } }),
      { kind: "paused", until: MONO + 300 },
    ],
  ])("a lane %s", (_, state, standing) => {
    expect(readinessOf(state, MOMENT)).toEqual(standing);
  });

  it("a lane that has its share of all slots waits until enough are free", () => {
    const state = lane({ inFlight: 3 * MAX_SLOTS_PER_FREE_SLOT, pace: initialPace(0, 100) });
    expect(readinessOf(state, { ...MOMENT, free: 3 })).toEqual({ kind: "crowded", free: 4 });
    expect(readinessOf(state, { ...MOMENT, free: 4 })).toEqual(ready);
    expect(readinessOf(lane({ inFlight: 35 }), { ...MOMENT, free: 0 })).toEqual(idle);
  });
});

describe("mayBegin", () => {
  it.each([
    ["below the limit", lane({ running: 31, inFlight: 90 }), true],
    ["at the limit", lane({ running: 32, inFlight: 90 }), false],
    ["above a limit that has fallen", lane({ running: 32, pace: initialPace(0, 16) }), false],
    ["as the only one of a lane in backoff", lane({ pace: inBackoff(MONO) }), true],
    ["beside another one of a lane in backoff", lane({ pace: inBackoff(MONO), running: 1 }), false],
  ])("answers whether a round may start %s", (_, state, may) => {
    expect(mayStartRound(state)).toBe(may);
  });
});

describe("placesFor", () => {
  it.each([
    ["its free slots", lane({ inFlight: 30 }), 2],
    ["its waiting deliveries", lane({ deliveries: 7, inFlight: 3 }), 4],
    ["one, if it is due and no delivery is counted", lane({ deliveries: 0 }), 1],
    ["one for a probe, in backoff", lane({ pace: inBackoff(0) }), 1],
    ["its tokens", lane({ rateLimit: { perSecond: 1, burst: 3 } }), 3],
    [
      "one, if a token is about to come",
      lane({ rateLimit: { perSecond: 1, burst: 3 }, tokens: { left: 0, at: MONO } }),
      1,
    ],
  ])("a lane can use as many slots as %s", (_, state, places) => {
    expect(usableSlots(state, MONO)).toBe(places);
  });
});
