import { mayBegin, placesFor, standingOf, startPace } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { SHARE_OF_FREE } from "../../../packages/core/src/limits.js";
import { at, NOW } from "../builders.js";
import { lane, MOMENT, MONO, mono } from "./builders.js";

const held = (probeAt: number) => ({ ...startPace(0), hold: { probes: 0, probeAt: mono(probeAt), freshAt: mono(0) } });
const idle = { kind: "idle" };
const ready = { kind: "ready" };

describe("standingOf", () => {
  it.each([
    ["that is due and has room is ready", lane(), ready],
    ["with one place left is ready", lane({ inFlight: 31 }), ready],
    ["without a place left waits for a settlement", lane({ inFlight: 32 }), idle],
    ["that nobody may have waits for other settings", lane({ isOpen: false }), idle],
    ["of which nothing is known to be due waits for a delivery", lane({ nextDueAt: undefined }), idle],
    ["that is due later waits until then", lane({ nextDueAt: at(NOW + 5) }), { kind: "due", at: NOW + 5 }],
    ["that is held waits for its probe", lane({ pace: held(MONO + 9) }), { kind: "paused", until: MONO + 9 }],
    ["that is held has its probe when it is time", lane({ pace: held(MONO) }), ready],
    ["that is held has no second probe", lane({ pace: held(MONO), inFlight: 1 }), idle],
    ["with a token left is ready", lane({ rateLimit: { perSecond: 10, burst: 1 } }), ready],
    [
      "without a token waits for the next",
      lane({ rateLimit: { perSecond: 10, burst: 1 }, tokens: { left: 0, at: MONO } }),
      { kind: "paused", until: MONO + 100 },
    ],
    [
      "that waits for both waits for the later",
      lane({ pace: held(MONO + 300), rateLimit: { perSecond: 10, burst: 1 }, tokens: { left: 0, at: MONO } }),
      { kind: "paused", until: MONO + 300 },
    ],
  ])("a lane %s", (_, state, standing) => {
    expect(standingOf(state, MOMENT)).toEqual(standing);
  });

  it("a lane that has its share of all places waits until so many are free", () => {
    const state = lane({ inFlight: 3 * SHARE_OF_FREE, pace: startPace(0, 100) });
    expect(standingOf(state, { ...MOMENT, free: 3 })).toEqual({ kind: "crowded", free: 4 });
    expect(standingOf(state, { ...MOMENT, free: 4 })).toEqual(ready);
    expect(standingOf(lane({ inFlight: 35 }), { ...MOMENT, free: 0 })).toEqual(idle);
  });
});

describe("mayBegin", () => {
  it.each([
    ["below the limit", lane({ begun: 31, inFlight: 90 }), true],
    ["at the limit", lane({ begun: 32, inFlight: 90 }), false],
    ["above one that has fallen", lane({ begun: 32, pace: startPace(0, 16) }), false],
    ["as the only one of a lane that is held", lane({ pace: held(MONO) }), true],
    ["beside another one of a lane that is held", lane({ pace: held(MONO), begun: 1 }), false],
  ])("says whether a round may begin %s", (_, state, may) => {
    expect(mayBegin(state)).toBe(may);
  });
});

describe("placesFor", () => {
  it.each([
    ["its room", lane({ inFlight: 30 }), 2],
    ["what it holds", lane({ deliveries: 7, inFlight: 3 }), 4],
    ["one, if it is due and seems to hold nothing", lane({ deliveries: 0 }), 1],
    ["a probe, if it is held", lane({ pace: held(0) }), 1],
    ["its tokens", lane({ rateLimit: { perSecond: 1, burst: 3 } }), 3],
    [
      "one, if a token is about to come",
      lane({ rateLimit: { perSecond: 1, burst: 3 }, tokens: { left: 0, at: MONO } }),
      1,
    ],
  ])("a lane can make use of %s", (_, state, places) => {
    expect(placesFor(state, MONO)).toBe(places);
  });
});
