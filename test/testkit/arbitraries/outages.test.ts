import { DEFAULT_RETRY_POLICY, type RetryPolicy } from "@postrider/core";
import { MAX_PLAYED_ROUNDS, type Outage, outages, playOutage, retryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const HOUR_MS = 3_600_000;
const steady: Outage = [{ tookMs: 100, draws: { delay: 0, slot: 0 } }];
const short: RetryPolicy = {
  ...DEFAULT_RETRY_POLICY,
  retryWindowMs: 60_000,
  firstRetryMs: 5_000,
  maxRetryMs: 20_000,
};

/** Whether fast-check finds a case against a law of a policy, and which. */
function counterexample(policy: RetryPolicy, holds: (starts: readonly number[]) => boolean): Outage | undefined {
  const details = fc.check(fc.property(outages(), (outage) => holds(playOutage(policy, outage))));
  return details.counterexample?.[0];
}

describe("playOutage", () => {
  it("starts at 0 and returns when each round starts, after the previous round and its delay", () => {
    // Delays of 5, 10, 20, 20 s after rounds of 0.1 s; then not even the first delay fits the window.
    expect(playOutage(short, steady)).toEqual([0, 5_100, 15_200, 35_300, 55_400]);
  });

  it("begins the outage again where it ends", () => {
    const twice: Outage = [...steady, { tookMs: 1_100, draws: { delay: 0, slot: 0 } }];
    expect(playOutage(short, twice).slice(0, 4)).toEqual([0, 5_100, 16_200, 36_300]);
  });

  it("waits for Retry-After", () => {
    const held: Outage = [{ tookMs: 0, draws: { delay: 0, slot: 0 }, heldMs: 25_000 }];
    expect(playOutage(short, held)).toEqual([0, 25_000, 50_000, 59_760]);
  });

  it("is one round if the window has no room for another", () => {
    expect(playOutage({ ...short, retryWindowMs: 5_000 }, steady)).toEqual([0]);
  });

  it("stops after 10,000 rounds", () => {
    const hasty = { ...short, retryWindowMs: 24 * HOUR_MS, firstRetryMs: 1, maxRetryMs: 1 };
    expect(playOutage(hasty, steady)).toHaveLength(MAX_PLAYED_ROUNDS);
  });

  it("plays every policy in rising order, from 0", () => {
    fc.assert(
      fc.property(retryPolicies(), outages({ maxHoldMs: HOUR_MS }), (policy, outage) => {
        const starts = playOutage(policy, outage);
        expect(starts[0]).toBe(0);
        expect(starts.slice(1).every((start, index) => start > starts[index]!)).toBe(true);
      }),
    );
  });
});

describe("outages", () => {
  it("has no Retry-After unless asked for, and rounds as long as the timeout allows", () => {
    const held = (some: readonly Outage[]) => some.flat().filter(({ heldMs }) => heldMs !== undefined);
    const plain = fc.sample(outages(), { numRuns: 100, seed: 1 });
    expect(held(plain)).toEqual([]);
    expect(Math.max(...plain.flat().map(({ tookMs }) => tookMs))).toBe(5_000);
    expect(held(fc.sample(outages({ maxHoldMs: 9 }), { numRuns: 100, seed: 1 })).length).toBeGreaterThan(0);
    const brief = fc.sample(outages({ timeoutMs: 3 }), { numRuns: 100, seed: 1 });
    expect(Math.max(...brief.flat().map(({ tookMs }) => tookMs))).toBe(3);
  });
});

describe("a stranger's test of a policy", () => {
  const enough = (starts: readonly number[]) => starts.length >= 12;
  const bearsAnHour = (starts: readonly number[]) => starts.some((at) => at >= HOUR_MS);
  const isGentle = (starts: readonly number[]) => starts.length <= 40;

  it("finds nothing against the default policy", () => {
    for (const law of [enough, bearsAnHour, isGentle])
      expect(counterexample(DEFAULT_RETRY_POLICY, law)).toBeUndefined();
  });

  it.each([
    ["too few tries", { maxRetryMs: 3 * HOUR_MS, growth: 4 }, enough],
    ["a window too short", { retryWindowMs: HOUR_MS - 1 }, bearsAnHour],
    ["a first delay as long as the window", { firstRetryMs: 4 * HOUR_MS, maxRetryMs: 4 * HOUR_MS }, bearsAnHour],
    ["hammering a receiver that is down", { growth: 1 }, isGentle],
  ])("finds %s", (_, flaw, law) => {
    expect(counterexample({ ...DEFAULT_RETRY_POLICY, ...flaw }, law)).toBeDefined();
  });

  it("shrinks to a case that is short enough to read", () => {
    const flawed = { ...DEFAULT_RETRY_POLICY, growth: 1 };
    expect(counterexample(flawed, isGentle)).toHaveLength(1);
  });
});

it("throws with the question and the answer of a schedule that fails", () => {
  const policy = { ...DEFAULT_RETRY_POLICY, schedule: { name: "ours", next: () => NaN } };
  const outage: Outage = [{ tookMs: 10, draws: { delay: 0, slot: 0 } }];
  expect(() => playOutage(policy, outage)).toThrow(/^the schedule ours answered NaN, asked with \{"attempts":\[\],/);
});
