import {
  afterRound,
  FIRST_LANE_IN_FLIGHT,
  HOLD_AFTER_ROUNDS,
  MAX_LANE_IN_FLIGHT,
  MIN_LANE_IN_FLIGHT,
  type Outcome,
  type Pace,
  PROBE_FIRST_MS,
  PROBE_MAX_MS,
  type RoundSignal,
  signalOf,
  startPace,
} from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW } from "../builders.js";
import { deliveryId, MONO, mono } from "./builders.js";

interface Seen {
  readonly signal: RoundSignal;
  readonly inFlight?: number;
  readonly delivery?: string;
  readonly atMs?: number;
}

function after(pace: Pace, ...rounds: readonly Seen[]): Pace {
  return rounds.reduce(
    (last, { signal, inFlight = last.limit, delivery = "a", atMs = MONO }) =>
      afterRound(last, { signal, inFlight, delivery: deliveryId(delivery) }, mono(atMs)),
    pace,
  );
}

const times = (count: number, seen: Seen): readonly Seen[] => Array.from({ length: count }, () => seen);
const success: Seen = { signal: "success" };

/** Each of another delivery. */
const failures = (count: number, atMs: number = MONO): readonly Seen[] =>
  Array.from({ length: count }, (_, index) => ({ signal: "failure", delivery: `d${String(index)}`, atMs }));

const held = (atMs: number = MONO, spread = 0): Pace => after(startPace(spread), ...failures(HOLD_AFTER_ROUNDS, atMs));

describe("signalOf", () => {
  it.each<readonly [string, Outcome, RoundSignal]>([
    ["delivered", { kind: "delivered", detail: "200" }, "success"],
    ["to be tried again", { kind: "rescheduled", dueAt: NOW, detail: "503" }, "failure"],
    ["refused", { kind: "dead", reason: "refused", detail: "404" }, "none"],
    ["at its end", { kind: "dead", reason: "expired", detail: "503" }, "failure"],
    ["dead before its round", { kind: "dead", reason: "expired" }, "none"],
    ["purged", { kind: "dead", reason: "purged", detail: "503" }, "none"],
    ["given back", { kind: "released", dueAt: NOW }, "none"],
  ])("reads what became of a delivery that is %s", (_, outcome, signal) => {
    expect(signalOf(outcome)).toBe(signal);
  });
});

describe("the limit of a lane", () => {
  it("grows with each success at first, while it is the limit that binds", () => {
    expect(after(startPace(0), success).limit).toBe(FIRST_LANE_IN_FLIGHT + 1);
    expect(after(startPace(0), ...times(32, success)).limit).toBe(64);
  });

  it("does not grow while half of it is enough", () => {
    expect(after(startPace(0), ...times(100, { signal: "success", inFlight: 15 })).limit).toBe(32);
    expect(after(startPace(0), { signal: "success", inFlight: 16 }).limit).toBe(33);
  });

  it("does not grow beyond its bound", () => {
    expect(after(startPace(0, MAX_LANE_IN_FLIGHT - 1), success, success, success).limit).toBe(MAX_LANE_IN_FLIGHT);
  });

  it("is halved by a failure, once for all rounds that were out together", () => {
    const halved = after(startPace(0, 100), { signal: "failure" });
    expect(halved.limit).toBe(50);
    expect(after(halved, ...times(99, { signal: "failure" })).limit).toBe(50);
    expect(after(halved, ...times(100, { signal: "failure" })).limit).toBe(25);
    expect(after(halved, ...times(99, success), { signal: "failure" }).limit).toBe(25);
  });

  it("grows by one per limit of successes after a failure", () => {
    const halved = after(startPace(0, 20), { signal: "failure" }, ...times(19, success));
    expect(halved.limit).toBe(10);
    expect(after(halved, ...times(9, success)).limit).toBe(10);
    expect(after(halved, ...times(10, success)).limit).toBe(11);
    expect(after(halved, ...times(21, success)).limit).toBe(12);
  });

  it("is halved by faults of our own as well, and they hold no lane", () => {
    const local = Array.from({ length: 500 }, (_, index): Seen => ({ signal: "local", delivery: String(index) }));
    const pace = after(startPace(0), ...local);
    expect(pace).toMatchObject({ limit: MIN_LANE_IN_FLIGHT, hold: undefined });
    expect(after(startPace(0), { signal: "local" }).limit).toBe(16);
  });

  it("stays where it is for what was no round", () => {
    const pace = startPace(0);
    expect(after(pace, { signal: "none" })).toBe(pace);
  });

  it("stays within its bounds, and never grows beyond twice what is used", () => {
    const round = fc.record({
      signal: fc.constantFrom<RoundSignal>("success", "success", "success", "failure", "local", "none"),
      delivery: fc.nat(3).map(String),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(round, { maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (rounds, most) => {
        let pace = startPace(0);
        for (const { used, ...seen } of rounds) {
          const inFlight = Math.max(1, Math.floor(Math.min(most, pace.limit) * used));
          pace = after(pace, { ...seen, inFlight });
          expect(pace.limit).toBeGreaterThanOrEqual(1);
          expect(pace.limit).toBeLessThanOrEqual(
            Math.max(FIRST_LANE_IN_FLIGHT, Math.min(MAX_LANE_IN_FLIGHT, 2 * most + 1)),
          );
        }
      }),
    );
  });

  it("comes to what a receiver can bear, and stays about there", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 400 }), (bearable) => {
        let pace = startPace(0);
        const limits: number[] = [];
        for (let trip = 0; trip < 600; trip += 1) {
          const out = pace.limit;
          for (let left = out; left > 0; left -= 1) {
            const signal = left > bearable ? "failure" : "success";
            pace = after(pace, { signal, inFlight: left, delivery: String(left) });
            if (pace.hold !== undefined) return;
          }
          if (trip > 400) limits.push(pace.limit);
        }
        expect(Math.max(...limits)).toBeLessThanOrEqual(2 * bearable + 2);
        expect(Math.min(...limits)).toBeGreaterThanOrEqual(Math.floor(bearable / 4));
      }),
      { numRuns: 30 },
    );
  });
});

describe("a lane whose rounds fail", () => {
  it("is held after so many in a row, of at least two deliveries", () => {
    expect(after(startPace(0), ...failures(HOLD_AFTER_ROUNDS - 1)).hold).toBeUndefined();
    expect(held().hold).toEqual({ probes: 0, probeAt: MONO + PROBE_FIRST_MS });
  });

  it("is not held for one delivery", () => {
    expect(after(startPace(0), ...times(100, { signal: "failure" })).hold).toBeUndefined();
    expect(after(startPace(0), ...times(100, { signal: "failure" }), ...failures(1)).hold).toBeDefined();
  });

  it("is not held if one succeeds in between, and counts anew", () => {
    const nearly = failures(HOLD_AFTER_ROUNDS - 1);
    expect(after(startPace(0), ...nearly, success, ...nearly).hold).toBeUndefined();
  });

  it("is probed ever less often, up to once a minute, each probe a quarter later at most", () => {
    const delays = (spread: number): readonly number[] => {
      let pace = held(MONO, spread);
      let now: number = MONO;
      return Array.from({ length: 7 }, () => {
        const probeAt = pace.hold?.probeAt ?? NaN;
        const delayMs = probeAt - now;
        now = probeAt;
        pace = after(pace, { signal: "failure", inFlight: 1, atMs: now });
        return delayMs;
      });
    };
    const steps = [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000];
    expect(delays(0)).toEqual(steps);
    expect(delays(0.5)).toEqual(steps.map((ms) => ms * 1.125));
    expect(Math.max(...delays(0.999))).toBeLessThan(PROBE_MAX_MS * 1.25);
  });

  it("does not count rounds that were out when it was held", () => {
    const pace = held();
    expect(after(pace, { signal: "failure", atMs: MONO + PROBE_FIRST_MS - 1 })).toBe(pace);
    expect(after(pace, { signal: "failure", inFlight: 2, atMs: MONO + PROBE_FIRST_MS })).toBe(pace);
  });

  it("is probed again as late as before, where the probe met faults of our own, and at once where it was no round", () => {
    const later = MONO + PROBE_FIRST_MS;
    const expected = { probes: 0, probeAt: later + PROBE_FIRST_MS };
    expect(after(held(), { signal: "local", inFlight: 1, atMs: later }).hold).toEqual(expected);
    expect(after(held(), { signal: "none", inFlight: 1, atMs: later })).toEqual(held());
  });

  it("ramps up from one with the first success, doubling", () => {
    const open = after(held(), { signal: "success", inFlight: 1 });
    expect(open).toMatchObject({ limit: 1, hold: undefined });
    expect(after(open, success).limit).toBe(2);
    expect(after(open, success, ...times(2, success)).limit).toBe(4);
    expect(after(open, success, { signal: "failure", delivery: "b" })).toMatchObject({ limit: 2, hold: undefined });
  });

  it("is open again after a success, whatever went before", () => {
    const signals = fc.array(
      fc.record({ signal: fc.constantFrom<RoundSignal>("failure", "local", "none"), waitMs: fc.nat(100_000) }),
    );
    fc.assert(
      fc.property(signals, (rounds) => {
        let [pace, now] = [held(), MONO as number];
        for (const { signal, waitMs } of rounds) {
          now += waitMs;
          pace = after(pace, { signal, inFlight: 1, atMs: now });
          expect((pace.hold?.probeAt ?? Infinity) - now).toBeLessThanOrEqual(PROBE_MAX_MS * 1.25);
        }
        expect(after(pace, { signal: "success", inFlight: 1, atMs: now })).toMatchObject({ limit: 1, hold: undefined });
      }),
    );
  });
});
