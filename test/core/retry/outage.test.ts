// The laws of a whole schedule: the rounds of a receiver that stays down, and of ten thousand deliveries that fail at the same
// instant. Simulated with the pure schedule, without a relay.

import { DEFAULT_RETRY_POLICY, type RetryPolicy, scheduleRetry, windowEnd } from "@postrider/core";
import { lastSlot } from "@postrider/core/engine";
import { MAX_PLAYED_ROUNDS, outages, playOutage, retryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at } from "../builders.js";

const W = DEFAULT_RETRY_POLICY.retryWindowMs;
const ZERO = at(0);

describe("a receiver that answers 503 for the whole window", () => {
  it("gets at least 12 and at most 25 rounds (law 20)", () => {
    fc.assert(
      fc.property(outages(), (outage) => {
        const { length } = playOutage(DEFAULT_RETRY_POLICY, outage);
        expect(length).toBeGreaterThanOrEqual(12);
        expect(length).toBeLessThanOrEqual(25);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gets its last round in the last slot, far beyond 80 % of the window, and none after it (laws 1 and 21)", () => {
    fc.assert(
      fc.property(outages(), (outage) => {
        const last = playOutage(DEFAULT_RETRY_POLICY, outage).at(-1)!;
        expect(last).toBeGreaterThanOrEqual(W - 57_600);
        expect(last).toBeLessThanOrEqual(W - 7_200);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gets its message if it recovers after 3:59 hours", () => {
    fc.assert(
      fc.property(outages(), (outage) => {
        const starts = playOutage(DEFAULT_RETRY_POLICY, outage);
        expect(starts.some((start) => start >= 3 * 3_600_000 + 59 * 60_000)).toBe(true);
      }),
    );
  });

  it("is never called outside the window, nor before the first delay, under any policy (laws 1, 2, 18)", () => {
    fc.assert(
      fc.property(retryPolicies(), outages({ maxHoldMs: 86_400_000 }), (policy, outage) => {
        const starts = playOutage(policy, outage);
        expect(starts.every((start) => start <= policy.retryWindowMs)).toBe(true);
        expect(starts.slice(1).every((start, index) => start >= starts[index]! + policy.firstRetryMs)).toBe(true);
      }),
    );
  });

  it("gets its last round in the last slot, under any policy whose first delay ends before it", () => {
    fc.assert(
      fc.property(retryPolicies(), outages({ timeoutMs: 0 }), (policy, outage) => {
        const starts = playOutage(policy, outage);
        fc.pre(starts.length < MAX_PLAYED_ROUNDS);
        const { from, until } = lastSlot(policy, ZERO);
        const last = starts.at(-1)!;
        expect(last >= from || last + policy.firstRetryMs > until).toBe(true);
      }),
    );
  });
});

describe("ten thousand deliveries that fail at one instant", () => {
  const COUNT = 10_000;

  it.each([1, 2, 3, 4, 8, 12])("are spread after round %i: no second gets 3 times its share (law 22)", (rounds) => {
    expect(crowding(dueTimes(DEFAULT_RETRY_POLICY, { rounds, nowMs: 60_000 }))).toBeLessThan(3);
  });

  it("are spread over the last slot too (law 22)", () => {
    const dues = dueTimes(DEFAULT_RETRY_POLICY, { rounds: 20, nowMs: W - 600_000 });
    expect(Math.min(...dues)).toBeGreaterThanOrEqual(lastSlot(DEFAULT_RETRY_POLICY, ZERO).from);
    expect(Math.max(...dues)).toBeLessThan(windowEnd(DEFAULT_RETRY_POLICY, ZERO));
    expect(crowding(dues)).toBeLessThan(3);
  });

  it("are spread if some fall before the last slot and some into it (law 22)", () => {
    for (const nowMs of [W - 1_400_000, W - 1_200_000, W - 970_000]) {
      expect(crowding(dueTimes(DEFAULT_RETRY_POLICY, { rounds: 20, nowMs }))).toBeLessThan(3);
    }
  });

  it("would fall into one second without jitter, which this measure detects", () => {
    const dues = dueTimes({ ...DEFAULT_RETRY_POLICY, jitter: 0 }, { rounds: 8, nowMs: 60_000 });
    expect(new Set(dues).size).toBe(1);
  });

  /** When each of them is due; the draws are two coprime strides over the unit interval, in place of random numbers. */
  function dueTimes(policy: RetryPolicy, { rounds, nowMs }: { rounds: number; nowMs: number }): readonly number[] {
    const past = { rounds, firstAttemptAt: ZERO, roundStartedAt: at(nowMs) };
    return Array.from({ length: COUNT }, (_, index) => {
      const drawn = { delay: (index * 0.754_877_666) % 1, slot: (index * 0.569_840_291) % 1 };
      const next = scheduleRetry(policy, past, drawn, at(nowMs));
      if (next.kind === "expired") throw new Error("expired");
      return next.dueAt;
    });
  }

  /** The fullest second, as a multiple of the mean over the interval in which they fall. */
  function crowding(dues: readonly number[]): number {
    const first = Math.min(...dues);
    const seconds = Math.max(1, (Math.max(...dues) - first) / 1_000);
    const buckets = new Map<number, number>();
    for (const due of dues) {
      const second = Math.floor((due - first) / 1_000);
      buckets.set(second, (buckets.get(second) ?? 0) + 1);
    }
    return Math.max(...buckets.values()) / (dues.length / seconds);
  }
});
