// What about a lane is told while it lasts.

import { DEFAULT_DELIVERY, type DeliveryId, epochMs, monoMs } from "@postrider/core";
import { afterRound, initialPace, laneTroubles, type Pace } from "@postrider/core/engine";
import { expect, it } from "vitest";

const NOW = epochMs(1_000_000_000);
const HOUR = 3_600_000;

/** The pace after this number of first attempts that failed, and then of those that succeeded. */
function afterAttempts(failures: number, successes = 0): Pace {
  let pace = initialPace(0);
  for (let nth = 0; nth < failures + successes; nth += 1) {
    const signal = nth < failures ? "failure" : "success";
    pace = afterRound(
      pace,
      { delivery: `d${String(nth)}` as DeliveryId, isFirst: true, signal, inFlight: 1 },
      monoMs(nth),
    );
  }
  return pace;
}

function troubles(pace: Pace, firstAttemptAgo?: number, deliveries = 1): readonly string[] {
  const firstAttemptAt = firstAttemptAgo === undefined ? undefined : epochMs(NOW - firstAttemptAgo);
  const lane = { pace, hasTaken: true, lastFailure: undefined, deaths: 0, deliveries, firstAttemptAt };
  return laneTroubles(lane, DEFAULT_DELIVERY, NOW);
}

it("a lane is failing from half the share of failures that holds it, and then it is held", () => {
  const seen = Array.from({ length: 62 }, (_, failures) => troubles(afterAttempts(failures))[0] ?? "fine");
  expect([...new Set(seen)]).toEqual(["fine", "lane-failing", "lane-held"]);
  expect(seen.indexOf("lane-failing")).toBe(18);
  expect(seen.indexOf("lane-held")).toBe(60);
});

it("a lane that recovers is fine again", () => {
  expect(troubles(afterAttempts(20, 10))).toEqual([]);
});

it("a lane that has taken nothing is failing from its first refusal on, as with a wrong path or secret", () => {
  const lane = { pace: initialPace(0), deliveries: 1, firstAttemptAt: undefined };
  const after = (isRefusal: boolean, hasTaken: boolean, deaths = 0) =>
    laneTroubles({ ...lane, hasTaken, deaths, lastFailure: { isRefusal } }, DEFAULT_DELIVERY, NOW);
  expect(after(true, false)).toEqual(["lane-failing"]);
  expect(after(true, true)).toEqual([]);
  expect(after(false, false)).toEqual([]);
  expect(after(true, false, 1)).toEqual([]);
});

it("a blocked lane is told as held", () => {
  const blocked = afterRound(
    initialPace(0),
    { delivery: "d" as DeliveryId, isFirst: true, signal: "blocked", inFlight: 1 },
    monoMs(0),
  );
  expect(troubles(blocked)).toEqual(["lane-held"]);
});

it("a window is at risk in its last quarter, while something waits that was tried", () => {
  const fine = initialPace(0);
  expect(troubles(fine, 3 * HOUR)).toEqual([]);
  expect(troubles(fine, 3 * HOUR + 1)).toEqual(["window-at-risk"]);
  expect(troubles(fine, 9 * HOUR)).toEqual(["window-at-risk"]);
  expect(troubles(fine, 9 * HOUR, 0)).toEqual([]);
  expect(troubles(fine)).toEqual([]);
  expect(troubles(afterAttempts(60), 3.5 * HOUR)).toEqual(["lane-held", "window-at-risk"]);
});
