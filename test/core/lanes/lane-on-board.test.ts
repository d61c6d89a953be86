// A lane that several processes share: this process may use its part of the limit, and takes probes and tokens from the board.

import type { EpochMs } from "@postrider/core";
import { type BackoffReason, initialPace, type LaneOnBoard, readinessOf, usableSlots } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { lane, MOMENT, MONO, mono } from "./builders.js";

const RATE = { perSecond: 10, burst: 5 };
const NONE_LEASED = { left: 0, until: mono(0), askAt: mono(0) };

function board(changes: Partial<LaneOnBoard> = {}): LaneOnBoard {
  return { share: 1, probeUntil: undefined, isHastened: false, leased: NONE_LEASED, ...changes };
}

function inBackoff(probeAt: number, reason: BackoffReason = "failing") {
  return { ...initialPace(0), backoff: { reason, probes: 0, probeAt: mono(probeAt), freshAt: mono(0) } };
}

const leased = (left: number) => ({ left, until: mono(MONO + 100), askAt: mono(MONO + 7) });

describe("a shared lane", () => {
  it.each([
    ["with half of its limit in flight is ready", { inFlight: 15, onBoard: board({ share: 0.5 }) }, { kind: "ready" }],
    ["with its part of the limit in flight waits", { inFlight: 16, onBoard: board({ share: 0.5 }) }, { kind: "idle" }],
    ["in backoff asks for the probe when it is due", { pace: inBackoff(MONO), onBoard: board() }, { kind: "asking" }],
    [
      "in backoff waits until a probe is due",
      { pace: inBackoff(MONO + 9), onBoard: board() },
      { kind: "paused", until: MONO + 9 },
    ],
    [
      "in backoff asks at once when it is hastened",
      { pace: inBackoff(MONO + 9), onBoard: board({ isHastened: true }) },
      { kind: "asking" },
    ],
    [
      "in backoff is ready while it has the probe",
      { pace: inBackoff(MONO), onBoard: board({ probeUntil: mono(MONO + 1) }) },
      { kind: "ready" },
    ],
    [
      "in backoff asks again once the probe's time is over",
      { pace: inBackoff(MONO), onBoard: board({ probeUntil: MONO }) },
      { kind: "asking" },
    ],
    [
      "that is blocked waits until its probe is due",
      { pace: inBackoff(MONO + 9, "blocked"), onBoard: board() },
      { kind: "paused", until: MONO + 9 },
    ],
    [
      "that is blocked is ready when its probe is due",
      { pace: inBackoff(MONO, "blocked"), onBoard: board() },
      { kind: "ready" },
    ],
    ["without tokens asks for some", { rateLimit: RATE, onBoard: board() }, { kind: "asking" }],
    [
      "without tokens waits until it may ask again",
      { rateLimit: RATE, onBoard: board({ leased: leased(0) }) },
      { kind: "paused", until: MONO + 7 },
    ],
    ["with tokens is ready", { rateLimit: RATE, onBoard: board({ leased: leased(2) }) }, { kind: "ready" }],
  ])("%s", (_, changes, readiness) => {
    expect(readinessOf(lane(changes), MOMENT)).toEqual(readiness);
  });

  it.each([
    ["tokens that it has leased", { rateLimit: RATE, onBoard: board({ leased: leased(2) }) }, 2],
    ["one without tokens, which a probe may need", { rateLimit: RATE, onBoard: board() }, 1],
    ["its part of the limit, without a rate limit", { onBoard: board({ share: 0.25 }) }, 8],
  ])("uses as many slots as the %s", (_, changes, slots) => {
    expect(usableSlots(lane({ nextDueAt: 0 as EpochMs, ...changes }), MONO)).toBe(slots);
  });
});
