import {
  afterRound,
  FIRST_LANE_IN_FLIGHT,
  MAX_LANE_IN_FLIGHT,
  MIN_LANE_IN_FLIGHT,
  type Pace,
  PROBE_FIRST_MS,
  PROBE_MAX_MS,
  type RoundSignal,
  probeNow,
  recheckBlocked,
  initialPace,
} from "@postrider/core/engine";
import { createSeededRandom } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BACKOFF_FAILURE_SHARE,
  BLOCKED_RECHECK_MS,
  HEALTH_ROUNDS,
  RETRIES_IGNORED_MS,
  SHRINK_FAILURE_SHARE,
} from "../../../packages/core/src/limits.js";
import { deliveryId, MONO, mono } from "./builders.js";

interface Seen {
  readonly signal: RoundSignal;
  readonly isFirst?: boolean;
  readonly inFlight?: number;
  readonly delivery?: string;
  readonly atMs?: number;
  readonly share?: number;
}

/** First attempts, each while the whole limit is in use, unless `inFlight` is given. */
function after(pace: Pace, ...rounds: readonly Seen[]): Pace {
  return rounds.reduce(
    (last, { signal, isFirst = true, inFlight = last.limit, delivery = "a", atMs = MONO, share }) =>
      afterRound(last, { signal, isFirst, inFlight, share, delivery: deliveryId(delivery) }, mono(atMs)),
    pace,
  );
}

const times = (count: number, seen: Seen): readonly Seen[] => Array.from({ length: count }, () => seen);
const success: Seen = { signal: "success" };
const failure: Seen = { signal: "failure" };

/** Retries, each of a different delivery. */
const retries = (count: number, signal: RoundSignal, atMs: number = MONO): readonly Seen[] =>
  Array.from({ length: count }, (_, index) => ({ signal, isFirst: false, delivery: `d${String(index)}`, atMs }));

/** How many failures in a row reach a share of failures. */
const rowTo = (share: number): number => Math.ceil(Math.log(1 - share) / Math.log(1 - 1 / HEALTH_ROUNDS));
const BACKOFF_AFTER = rowTo(BACKOFF_FAILURE_SHARE);

const held = (spread = 0): Pace => after(initialPace(spread), ...times(BACKOFF_AFTER, failure));

describe("the limit of a lane", () => {
  it("grows with each success at first, while the limit is in use", () => {
    expect(after(initialPace(0), success).limit).toBe(FIRST_LANE_IN_FLIGHT + 1);
    expect(after(initialPace(0), ...times(32, success)).limit).toBe(64);
  });

  it("does not grow while less than half of it is in use", () => {
    expect(after(initialPace(0), ...times(100, { signal: "success", inFlight: 15 })).limit).toBe(32);
    expect(after(initialPace(0), { signal: "success", inFlight: 16 }).limit).toBe(33);
  });

  it("does not grow beyond its bound", () => {
    expect(after(initialPace(0, MAX_LANE_IN_FLIGHT - 1), success, success, success).limit).toBe(MAX_LANE_IN_FLIGHT);
  });

  it("loses a slot with each failure above a share of failures, and none below it", () => {
    const before = after(initialPace(0, 100), ...times(rowTo(SHRINK_FAILURE_SHARE) - 1, failure));
    expect(before).toMatchObject({ limit: 100, isRamping: true });
    expect(after(before, failure)).toMatchObject({ limit: 99, isRamping: false });
    expect(after(before, ...times(10, failure)).limit).toBe(90);
  });

  it("keeps a few slots, however many rounds fail", () => {
    expect(after(initialPace(0, 20), ...times(BACKOFF_AFTER - 1, failure)).limit).toBe(MIN_LANE_IN_FLIGHT);
    expect(after(initialPace(0, 2), ...times(BACKOFF_AFTER - 1, failure)).limit).toBe(2);
  });

  it("grows by one per `limit` successes once a failure has taken a slot, and not while many fail", () => {
    const fallen = after(initialPace(0, 11), ...times(rowTo(SHRINK_FAILURE_SHARE), failure));
    expect(fallen.limit).toBe(10);
    expect(after(fallen, success)).toMatchObject({ limit: 10, successes: 0 });
    const well = after(fallen, ...times(HEALTH_ROUNDS, { signal: "success", inFlight: 1 }));
    expect(after(well, ...times(9, success)).limit).toBe(10);
    expect(after(well, ...times(10, success)).limit).toBe(11);
    expect(after(well, ...times(21, success)).limit).toBe(12);
  });

  it("loses a slot with each local fault, which does not lead to backoff", () => {
    expect(after(initialPace(0), { signal: "local" }).limit).toBe(FIRST_LANE_IN_FLIGHT - 1);
    const pace = after(initialPace(0), ...times(500, { signal: "local" }));
    expect(pace).toMatchObject({ limit: MIN_LANE_IN_FLIGHT, backoff: undefined });
  });

  it("does not change without a round", () => {
    const pace = initialPace(0);
    expect(after(pace, { signal: "none" })).toBe(pace);
  });

  it("is the same object after a success that changes nothing", () => {
    const pace = after(initialPace(0), { signal: "success", inFlight: 1 });
    expect(after(pace, { signal: "success", inFlight: 1, atMs: MONO + 1 })).toBe(pace);
  });

  it("forgets a failure after enough successes, so that it is the same object again after each", () => {
    const idle: Seen = { signal: "success", inFlight: 1 };
    const pace = after(initialPace(0), failure, ...times(500, idle));
    expect(pace.health.failing).toBe(0);
    expect(after(pace, idle)).toBe(pace);
  });

  it("does not fall while at most two of every eight first attempts fail", () => {
    const eight = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 0, maxLength: 2 });
    const use = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(eight, use), { maxLength: 60 }), fc.integer({ min: 1, max: 512 }), (all, limit) => {
        let pace = initialPace(0, limit);
        for (const [failing, used] of all) {
          for (let place = 0; place < 8; place += 1) {
            const next = after(pace, {
              signal: failing.includes(place) ? "failure" : "success",
              inFlight: Math.max(1, Math.floor(pace.limit * used)),
              delivery: String(place),
            });
            expect(next.limit).toBeGreaterThanOrEqual(pace.limit);
            expect(next.backoff).toBeUndefined();
            pace = next;
          }
        }
      }),
    );
  });

  it("changes by at most one with each round, stays within its bounds, and grows to at most twice what is in use", () => {
    const round = fc.record({
      signal: fc.constantFrom<RoundSignal>("success", "success", "success", "failure", "local", "none"),
      isFirst: fc.boolean(),
      delivery: fc.nat(3).map(String),
      used: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(round, { maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (rounds, most) => {
        let pace = initialPace(0);
        for (const { used, ...seen } of rounds) {
          const inFlight = Math.max(1, Math.floor(Math.min(most, pace.limit) * used));
          const next = after(pace, { ...seen, inFlight });
          if (pace.backoff === undefined) expect(Math.abs(next.limit - pace.limit)).toBeLessThanOrEqual(1);
          expect(next.limit).toBeGreaterThanOrEqual(1);
          expect(next.limit).toBeLessThanOrEqual(
            Math.max(FIRST_LANE_IN_FLIGHT, Math.min(MAX_LANE_IN_FLIGHT, 2 * most + 1)),
          );
          expect(next.health.failing).toBeGreaterThanOrEqual(0);
          expect(next.health.failing).toBeLessThan(1);
          pace = next;
        }
      }),
    );
  });

  it("reaches what a receiver can handle, and stays near it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 300 }), (bearable) => {
        let pace = initialPace(0);
        const limits: number[] = [];
        for (let trip = 0; trip < 200; trip += 1) {
          const out = pace.limit;
          for (let left = out; left > 0; left -= 1) {
            // Deliveries above the capacity are spread among the others, as on a network.
            const isExcess = Math.floor((left * bearable) / out) === Math.floor(((left - 1) * bearable) / out);
            pace = after(pace, { signal: isExcess ? "failure" : "success", inFlight: left, delivery: String(left) });
          }
          if (trip > 100) limits.push(pace.limit);
        }
        expect(pace.backoff).toBeUndefined();
        expect(Math.max(...limits)).toBeLessThanOrEqual(bearable / (1 - SHRINK_FAILURE_SHARE) + 2);
        expect(Math.min(...limits)).toBeGreaterThanOrEqual(bearable);
      }),
      { numRuns: 30 },
    );
  });
});

describe("retries", () => {
  it("do not count in a lane where a first attempt has succeeded recently", () => {
    const fresh = after(initialPace(0), success);
    expect(after(fresh, ...retries(200, "failure", MONO + RETRIES_IGNORED_MS))).toBe(fresh);
    expect(after(fresh, ...retries(200, "failure", MONO + RETRIES_IGNORED_MS + 1)).backoff).toBeDefined();
  });

  it("count if there are no first attempts, or none succeeds", () => {
    expect(after(initialPace(0), ...retries(BACKOFF_AFTER - 1, "failure")).backoff).toBeUndefined();
    expect(after(initialPace(0), ...retries(BACKOFF_AFTER, "failure")).backoff).toBeDefined();
    expect(
      after(initialPace(0), ...times(30, failure), ...retries(BACKOFF_AFTER - 30, "failure")).backoff,
    ).toBeDefined();
  });

  it("of a single delivery do not lead to backoff, however often it fails", () => {
    const retry: Seen = { signal: "failure", isFirst: false };
    const pace = after(initialPace(0), failure, ...times(1_000, retry));
    expect(pace).toMatchObject({ limit: FIRST_LANE_IN_FLIGHT, backoff: undefined });
    expect(after(pace, ...retries(1, "failure")).health.failing).toBeGreaterThan(pace.health.failing);
  });

  it("are ignored for a minute after a first attempt that succeeded, which is noted again after a quarter of it", () => {
    const freshAfter = (...atMs: readonly number[]) =>
      after(initialPace(0), ...atMs.map((ms): Seen => ({ ...success, inFlight: 1, atMs: MONO + ms }))).health
        .succeededAt;
    const quarter = RETRIES_IGNORED_MS / 4;
    expect(freshAfter(0)).toBe(MONO);
    expect(freshAfter(0, quarter - 1)).toBe(MONO);
    expect(freshAfter(0, quarter)).toBe(MONO + quarter);
    expect(freshAfter(0, quarter - 1, 2 * quarter)).toBe(MONO + 2 * quarter);
  });

  it("of a delivery that succeeded last do not count, even in a lane without failures", () => {
    const retry = { isFirst: false, delivery: "d", inFlight: 1 };
    const pace = after(initialPace(0), { signal: "success", ...retry });
    expect(after(pace, { signal: "failure", ...retry }).health.failing).toBe(0);
    expect(after(pace, { signal: "failure", ...retry, delivery: "e" }).health.failing).toBeGreaterThan(0);
  });

  it("that succeed raise the limit in any case", () => {
    expect(after(initialPace(0), success, ...retries(10, "success")).limit).toBe(FIRST_LANE_IN_FLIGHT + 11);
  });
});

describe("a lane whose rounds fail", () => {
  it("goes into backoff after sixty first attempts that fail in a row", () => {
    expect(BACKOFF_AFTER).toBe(60);
    expect(after(initialPace(0), ...times(BACKOFF_AFTER - 1, failure)).backoff).toBeUndefined();
    expect(held().backoff).toEqual({
      reason: "failing",
      probes: 0,
      probeAt: MONO + PROBE_FIRST_MS,
      freshAt: MONO + PROBE_FIRST_MS / 2,
    });
  });

  it.each([
    [1, 60],
    [2, 60],
    [4, 60],
    [16, 240],
  ])(
    "that %i processes share goes into backoff after about as many in sum, %i, and after fifteen in one",
    (count, sum) => {
      const share = 1 / count;
      const failures = Array.from({ length: 60 }, (_, index) => index + 1);
      const needed = failures.find(
        (number) => after(initialPace(0), ...times(number, { ...failure, share })).backoff !== undefined,
      );
      expect(Math.abs((needed ?? 0) * count - sum)).toBeLessThanOrEqual(count);
    },
  );

  it("that processes share is not held by chance while two in five fail, nor loses most of its places while one in five does", () => {
    const play = (failing: number): Pace => {
      const random = createSeededRandom(1);
      const rounds = Array.from({ length: 20_000 }, () => (random.unit() < failing ? failure : success));
      return after(initialPace(0), ...rounds.map((round) => ({ ...round, share: 1 / 8 })));
    };
    expect(play(0.4).backoff).toBeUndefined();
    expect(play(0.2).limit).toBeGreaterThan(MAX_LANE_IN_FLIGHT / 2);
  });

  it("goes into backoff after at most sixty, whatever its history", () => {
    const rounds = fc.array(fc.constantFrom(success, failure), { maxLength: 300 });
    fc.assert(
      fc.property(rounds, (before) => {
        const pace = after(initialPace(0), ...before, ...times(BACKOFF_AFTER, failure));
        expect(pace.backoff).toBeDefined();
      }),
    );
  });

  it("does not go into backoff for forty in a row if at most a fifth failed before", () => {
    const fifth = Array.from({ length: 200 }, (_, index) => (index % 5 === 0 ? failure : success));
    expect(after(initialPace(0), ...fifth, ...times(40, failure)).backoff).toBeUndefined();
  });

  it("is probed at growing intervals up to a minute, with jitter of at most a quarter", () => {
    const delays = (spread: number): readonly number[] => {
      let pace = held(spread);
      let now: number = MONO;
      return Array.from({ length: 7 }, () => {
        const probeAt = pace.backoff?.probeAt ?? NaN;
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

  it("does not count rounds that were running when the backoff began as probes", () => {
    const pace = held();
    expect(after(pace, { signal: "failure", inFlight: 1, atMs: MONO + PROBE_FIRST_MS / 2 - 1 })).toBe(pace);
    expect(after(pace, { signal: "failure", inFlight: 2, atMs: MONO + PROBE_FIRST_MS })).toBe(pace);
    expect(after(pace, { signal: "failure", inFlight: 1, atMs: MONO + PROBE_FIRST_MS / 2 }).backoff?.probes).toBe(1);
  });

  it("is probed again after the same delay if the probe had a local fault, and at once if there was no round", () => {
    const later = MONO + PROBE_FIRST_MS;
    const expected = {
      reason: "failing",
      probes: 0,
      probeAt: later + PROBE_FIRST_MS,
      freshAt: later + PROBE_FIRST_MS / 2,
    };
    expect(after(held(), { signal: "local", inFlight: 1, atMs: later }).backoff).toEqual(expected);
    expect(after(held(), { signal: "none", inFlight: 1, atMs: later })).toEqual(held());
  });

  it("starts again from a limit of one after the first success, and doubles it like a new lane", () => {
    const open = after(held(), { signal: "success", inFlight: 1 });
    expect(open).toMatchObject({ limit: 1, backoff: undefined, health: { failing: 0 } });
    expect(after(open, success).limit).toBe(2);
    expect(after(open, success, ...times(2, success)).limit).toBe(4);
    expect(after(open, success, failure)).toMatchObject({ limit: 2, backoff: undefined });
  });

  it("leaves the backoff after a success, whatever its history", () => {
    const signals = fc.array(
      fc.record({ signal: fc.constantFrom<RoundSignal>("failure", "local", "none"), waitMs: fc.nat(100_000) }),
    );
    fc.assert(
      fc.property(signals, fc.boolean(), (rounds, isFirst) => {
        let [pace, now] = [held(), MONO as number];
        for (const { signal, waitMs } of rounds) {
          now += waitMs;
          pace = after(pace, { signal, inFlight: 1, atMs: now });
          expect((pace.backoff?.probeAt ?? Infinity) - now).toBeLessThanOrEqual(PROBE_MAX_MS * 1.25);
        }
        const opened = after(pace, { signal: "success", isFirst, inFlight: 1, atMs: now });
        expect(opened).toMatchObject({ limit: 1, backoff: undefined });
      }),
    );
  });
});

describe("a blocked lane", () => {
  const blocked = (spread = 0): Pace => after(initialPace(spread, 100), { signal: "blocked" });
  const probeAtOf = (pace: Pace): number | undefined => pace.backoff?.probeAt;
  const PROBE_AT = MONO + BLOCKED_RECHECK_MS;

  it("is looked up again after a minute at the earliest, also for a new delivery", () => {
    expect(blocked().backoff).toEqual({ reason: "blocked", probes: 0, probeAt: PROBE_AT, freshAt: PROBE_AT });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (spread) => {
        const probeAt = probeAtOf(blocked(spread))!;
        expect(probeAt).toBeGreaterThanOrEqual(PROBE_AT);
        expect(probeAt).toBeLessThanOrEqual(PROBE_AT + BLOCKED_RECHECK_MS / 4);
      }),
    );
  });

  it("stays so whatever other rounds end as, until its probe is due", () => {
    for (const signal of ["success", "failure", "refused", "local", "blocked", "none"] as const) {
      expect(after(blocked(), { signal, inFlight: 1, atMs: PROBE_AT - 1 })).toEqual(blocked());
    }
  });

  it("is looked up again a minute after each probe that is blocked, or has only local faults", () => {
    const again = after(blocked(), { signal: "blocked", atMs: PROBE_AT + 5 });
    expect(again.backoff).toMatchObject({ reason: "blocked", probes: 1, probeAt: PROBE_AT + 5 + BLOCKED_RECHECK_MS });
    expect(after(blocked(), { signal: "blocked", atMs: PROBE_AT }).backoff).toMatchObject({ probes: 1 });
    const local = after(blocked(), { signal: "local", atMs: PROBE_AT + 5 });
    expect(local.backoff).toMatchObject({ reason: "blocked", probes: 0, probeAt: PROBE_AT + 5 + BLOCKED_RECHECK_MS });
    expect(after(blocked(), { signal: "none", atMs: PROBE_AT + 5 })).toEqual(blocked());
  });

  it.each(["success", "failure", "refused"] as const)("opens after a probe that ends as %s", (signal) => {
    const opened = after(blocked(), { signal, inFlight: 1, atMs: PROBE_AT });
    expect(opened).toMatchObject({ backoff: undefined, limit: FIRST_LANE_IN_FLIGHT });
    // The probe counts as the first round of the lane.
    expect(opened).toEqual(after(initialPace(0), { signal, inFlight: 1, atMs: PROBE_AT }));
  });

  it("may be looked up at once when the settings change; other lanes stay as they are", () => {
    const now = mono(MONO + 1);
    expect(recheckBlocked(blocked(), now).backoff).toMatchObject({ reason: "blocked", probeAt: now, freshAt: now });
    expect(recheckBlocked(held(), now)).toEqual(held());
    expect(recheckBlocked(initialPace(0), now)).toEqual(initialPace(0));
  });

  it("that an operator has probed may send its next probe at once, held or blocked, and is as it was without one", () => {
    const now = mono(MONO + 1);
    for (const pace of [held(), blocked()])
      expect(probeNow(pace, now)).toEqual({ ...pace, backoff: { ...pace.backoff, probeAt: now, freshAt: now } });
    expect(probeNow(initialPace(0), now)).toEqual(initialPace(0));
  });

  it("was held before or not: the block says nothing about the health of its receiver", () => {
    expect(after(held(), { signal: "blocked" })).toEqual(after(initialPace(0), { signal: "blocked" }));
  });
});

describe("a lane whose receiver refuses whatever it gets", () => {
  const refusing: Seen = { signal: "refusing", inFlight: 1 };
  const later = (probes: number): Seen => ({ ...refusing, atMs: MONO + probes * 2 * PROBE_MAX_MS });

  it("is held at once, with the first probe as after failures", () => {
    const failing = held().backoff!;
    expect(after(initialPace(0), refusing).backoff).toEqual({ ...failing, reason: "refusing" });
  });

  it("waits longer after each probe that is refused, and opens at the first success with one slot", () => {
    const before = after(initialPace(0), refusing, later(1), later(2));
    expect(before.backoff).toMatchObject({ reason: "refusing", probes: 2 });
    expect(after(before, { ...later(3), signal: "success" })).toMatchObject({ limit: 1, isRamping: true });
    expect(after(before, { ...later(3), signal: "success" }).backoff).toBeUndefined();
  });

  it("is held for the reason that the last probe has shown", () => {
    expect(after(held(), later(1)).backoff).toMatchObject({ reason: "refusing", probes: 1 });
    const failed: Seen = { ...later(1), signal: "failure" };
    expect(after(initialPace(0), refusing, failed).backoff).toMatchObject({ reason: "failing", probes: 1 });
  });
});

it("a refusal says nothing about the load that a receiver can take", () => {
  const refused: Seen = { signal: "refused", inFlight: 1, atMs: MONO + PROBE_MAX_MS };
  expect(after(held(), refused)).toEqual(held());
  expect(after(initialPace(0), refused)).toEqual(initialPace(0));
});
