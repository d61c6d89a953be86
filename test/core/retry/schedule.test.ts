import {
  DEFAULT_RETRY_POLICY,
  longestDelay,
  type RetryHistory,
  retryDelay,
  type RetryPolicy,
  scheduleRetry,
  windowEnd,
} from "@postrider/core";
import { baseDelay, lastSlot } from "@postrider/core/engine";
import { retryDraws, retryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, NOW } from "../builders.js";

const W = DEFAULT_RETRY_POLICY.retryWindowMs;
const FIRST = { delay: 0, slot: 0 };

const policy = (changes: Partial<RetryPolicy> = {}): RetryPolicy => ({ ...DEFAULT_RETRY_POLICY, ...changes });

/** A delivery first tried at NOW whose latest round started `startedMs` later. */
function past(startedMs: number, changes: Partial<RetryHistory> = {}): RetryHistory {
  return { rounds: 1, firstAttemptAt: NOW, roundStartedAt: at(NOW + startedMs), ...changes };
}

/** Failed rounds of any delivery under any policy: when the round started and when it ended. */
const failures = () =>
  fc
    .record({
      policy: retryPolicies(),
      rounds: fc.integer({ min: 1, max: 60 }),
      share: fc.double({ min: 0, max: 1.1, noNaN: true }),
      tookMs: fc.oneof(fc.nat(5_000), fc.integer({ min: -18_000_000, max: 18_000_000 })),
      heldMs: fc.option(fc.nat(86_400_000), { nil: undefined }),
      draws: retryDraws(),
    })
    .map(({ share, tookMs, heldMs, ...rest }) => {
      const roundStartedAt = at(Math.floor(NOW + share * rest.policy.retryWindowMs));
      const now = at(roundStartedAt + tookMs);
      const held = heldMs === undefined ? {} : { heldUntil: at(now + heldMs) };
      return { ...rest, now, past: { rounds: rest.rounds, firstAttemptAt: NOW, roundStartedAt, ...held } };
    });

describe("baseDelay", () => {
  it("doubles from 5 s to 15 min by default", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((rounds) => baseDelay(DEFAULT_RETRY_POLICY, rounds) / 1_000);
    expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
  });

  it("stays constant without growth", () => {
    expect(baseDelay(policy({ growth: 1 }), 50)).toBe(5_000);
  });

  it("rounds up to whole milliseconds", () => {
    expect(baseDelay(policy({ firstRetryMs: 0.1, maxRetryMs: 10, growth: 15 }), 1)).toBe(1);
    expect(baseDelay(policy({ firstRetryMs: 0.1, maxRetryMs: 10, growth: 15 }), 2)).toBe(2);
    expect(baseDelay(policy({ firstRetryMs: 1, maxRetryMs: 1.5, growth: 2 }), 9)).toBe(2);
  });

  it("is finite, above zero, and never shrinks, up to its maximum, after any number of rounds (laws 16 and 17)", () => {
    fc.assert(
      fc.property(retryPolicies(), fc.integer({ min: 1, max: 5_000 }), (any, rounds) => {
        const delay = baseDelay(any, rounds);
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(1);
        expect(delay).toBeGreaterThanOrEqual(Math.min(any.firstRetryMs, any.maxRetryMs));
        expect(delay).toBeLessThanOrEqual(Math.ceil(any.maxRetryMs));
        expect(baseDelay(any, rounds + 1)).toBeGreaterThanOrEqual(delay);
      }),
    );
  });
});

describe("retryDelay", () => {
  it("is longer than the base delay by up to a half, and never shorter", () => {
    expect(retryDelay(DEFAULT_RETRY_POLICY, 1, 0)).toBe(5_000);
    expect(retryDelay(DEFAULT_RETRY_POLICY, 1, 0.5)).toBe(6_250);
    expect(retryDelay(DEFAULT_RETRY_POLICY, 3, 0.5)).toBe(25_000);
    expect(retryDelay(DEFAULT_RETRY_POLICY, 1, 0.9999)).toBe(7_499);
    expect(retryDelay(policy({ jitter: 0 }), 1, 0.9)).toBe(5_000);
  });

  it("lies in [d, (1 + jitter) d], in whole milliseconds (law 16)", () => {
    fc.assert(
      fc.property(retryPolicies(), fc.integer({ min: 1, max: 100 }), retryDraws(), (any, rounds, { delay: draw }) => {
        const base = baseDelay(any, rounds);
        const delay = retryDelay(any, rounds, draw);
        expect(Number.isSafeInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(base);
        expect(delay).toBeLessThanOrEqual(base * (1 + any.jitter));
      }),
    );
  });

  it("is spread evenly over its interval (law 16)", () => {
    const delays = evenly(1_000).map((draw) => retryDelay(DEFAULT_RETRY_POLICY, 4, draw));
    const quarters = [0, 0, 0, 0];
    for (const delay of delays) quarters[Math.floor((delay - 40_000) / 5_000)]! += 1;
    expect(quarters).toEqual([250, 250, 250, 250]);
  });
});

describe("windowEnd", () => {
  it("is the window after the first recorded attempt, to the millisecond", () => {
    expect(windowEnd(DEFAULT_RETRY_POLICY, NOW)).toBe(NOW + 14_400_000);
    expect(windowEnd(policy({ retryWindowMs: 10.9 }), NOW)).toBe(NOW + 10);
  });
});

describe("lastSlot", () => {
  it.each([
    ["four hours", W, 57_600, 7_200],
    ["an hour", 3_600_000, 14_400, 1_800],
    ["a hundred seconds", 100_000, 400, 50],
    ["twenty-five seconds", 25_000, 100, 50],
    ["five seconds", 5_000, 100, 50],
    ["one second", 1_000, 100, 50],
  ])("of %s is at the end of the window", (_, retryWindowMs, fromEndMs, untilEndMs) => {
    const end = NOW + retryWindowMs;
    expect(lastSlot(policy({ retryWindowMs }), NOW)).toEqual({ from: end - fromEndMs, until: end - untilEndMs });
  });

  it("is in whole milliseconds, never empty, and ends at least 50 ms before the window", () => {
    fc.assert(
      fc.property(retryPolicies(), (any) => {
        const { from, until } = lastSlot(any, NOW);
        expect(Number.isSafeInteger(from) && Number.isSafeInteger(until)).toBe(true);
        expect(from).toBeLessThanOrEqual(until);
        expect(until).toBeLessThanOrEqual(windowEnd(any, NOW) - 50);
      }),
    );
  });
});

describe("scheduleRetry", () => {
  it("is due one delay after the settlement, not after the round's start", () => {
    expect(scheduleRetry(DEFAULT_RETRY_POLICY, past(0), FIRST, at(NOW + 4_000))).toEqual({
      kind: "due",
      dueAt: NOW + 9_000,
    });
    expect(scheduleRetry(DEFAULT_RETRY_POLICY, past(0), { delay: 0.5, slot: 0 }, NOW)).toEqual({
      kind: "due",
      dueAt: NOW + 6_250,
    });
  });

  it("waits longer after more rounds", () => {
    expect(scheduleRetry(DEFAULT_RETRY_POLICY, past(0, { rounds: 4 }), FIRST, NOW)).toMatchObject({
      dueAt: NOW + 40_000,
    });
  });

  it("waits for the end of a hold that is longer than the delay", () => {
    const held = (ms: number) => scheduleRetry(DEFAULT_RETRY_POLICY, past(0, { heldUntil: at(NOW + ms) }), FIRST, NOW);
    expect(held(60_000)).toEqual({ kind: "due", dueAt: NOW + 60_000 });
    expect(held(1_000)).toEqual({ kind: "due", dueAt: NOW + 5_000 });
  });

  describe("at the edge of the window", () => {
    const end = NOW + W;
    const slotFrom = end - 57_600;
    const slotUntil = end - 7_200;
    const after = (roundStartMs: number, nowMs: number, slot = 0) =>
      scheduleRetry(DEFAULT_RETRY_POLICY, past(roundStartMs, { rounds: 20 }), { delay: 0, slot }, at(NOW + nowMs));

    it("does not change a start just before the last slot", () => {
      const now = W - 57_600 - 900_000 - 1;
      expect(after(now, now)).toEqual({ kind: "due", dueAt: slotFrom - 1 });
    });

    it("draws the start from the last slot if it would be in it or after it", () => {
      const now = W - 57_600 - 900_000;
      expect(after(now, now, 0)).toEqual({ kind: "due", dueAt: slotFrom });
      expect(after(now, now, 0.5)).toEqual({ kind: "due", dueAt: end - 32_400 });
      expect(after(now + 100_000, now + 100_000, 0)).toEqual({ kind: "due", dueAt: slotFrom });
      expect(after(now + 100_000, now + 100_000, 0.5)).toEqual({ kind: "due", dueAt: end - 32_400 });
      expect(after(now + 100_000, now + 100_000, 1 - 2 ** -53)).toEqual({ kind: "due", dueAt: slotUntil });
    });

    it("keeps the first delay even within the last slot", () => {
      const roundStart = W - 57_601;
      expect(after(roundStart, W - 40_000)).toEqual({ kind: "due", dueAt: end - 35_000 });
      expect(after(roundStart, W - 40_000, 0.5)).toEqual({ kind: "due", dueAt: end - 21_100 });
    });

    it("has a last round as long as one fits, to the millisecond", () => {
      expect(after(W - 57_601, W - 12_200)).toEqual({ kind: "due", dueAt: slotUntil });
      expect(after(W - 57_601, W - 12_199)).toEqual({ kind: "expired" });
    });

    it("has no further round after one that started in the last slot", () => {
      expect(after(W - 57_601, W - 57_601)).toMatchObject({ kind: "due" });
      expect(after(W - 57_600, W - 57_600)).toEqual({ kind: "expired" });
      expect(after(W + 1, W + 1)).toEqual({ kind: "expired" });
    });

    it("cuts a hold that ends after the last slot to the slot", () => {
      const held = past(0, { heldUntil: at(end + 1) });
      expect(scheduleRetry(DEFAULT_RETRY_POLICY, held, FIRST, NOW)).toEqual({ kind: "due", dueAt: slotFrom });
      expect(scheduleRetry(DEFAULT_RETRY_POLICY, past(0, { heldUntil: at(slotFrom) }), FIRST, NOW)).toEqual({
        kind: "due",
        dueAt: slotFrom,
      });
    });
  });

  describe("with a window of a few seconds", () => {
    const short = (retryWindowMs: number, nowMs = 0) =>
      scheduleRetry(
        policy({ retryWindowMs, firstRetryMs: 1_000, maxRetryMs: 1_000 }),
        past(0),
        { delay: 0, slot: 0 },
        at(NOW + nowMs),
      );

    it("has a second round while one fits", () => {
      expect(short(3_000)).toEqual({ kind: "due", dueAt: NOW + 1_000 });
      expect(short(1_101)).toEqual({ kind: "due", dueAt: NOW + 1_000 });
      expect(short(1_100)).toEqual({ kind: "due", dueAt: NOW + 1_000 });
      expect(short(1_050)).toEqual({ kind: "due", dueAt: NOW + 1_000 });
    });

    it("expires at once if none fits", () => {
      expect(short(1_049)).toEqual({ kind: "expired" });
      expect(short(3_000, 1_951)).toEqual({ kind: "expired" });
      expect(short(3_000, 1_950)).toEqual({ kind: "due", dueAt: NOW + 2_950 });
      expect(short(100)).toEqual({ kind: "expired" });
      expect(short(1)).toEqual({ kind: "expired" });
    });
  });

  it("keeps the window and the first delay for any policy, hold and step of the clock (laws 1, 16, 18, 24)", () => {
    fc.assert(
      fc.property(failures(), ({ policy: any, past: before, draws: drawn, now }) => {
        const next = scheduleRetry(any, before, drawn, now);
        if (next.kind === "expired") return;
        const slot = lastSlot(any, NOW);
        expect(Number.isSafeInteger(next.dueAt)).toBe(true);
        expect(next.dueAt).toBeLessThanOrEqual(slot.until);
        expect(next.dueAt).toBeGreaterThanOrEqual(now + any.firstRetryMs);
        if (next.dueAt >= slot.from) return;
        expect(next.dueAt).toBeGreaterThanOrEqual(now + baseDelay(any, before.rounds));
        expect(next.dueAt).toBeGreaterThanOrEqual(before.heldUntil ?? now);
        const latest = now + baseDelay(any, before.rounds) * (1 + any.jitter);
        expect(next.dueAt).toBeLessThanOrEqual(Math.max(latest, before.heldUntil ?? now));
      }),
      { numRuns: 500 },
    );
  });

  it("expires only if the last slot was used, or nothing fits before its end", () => {
    fc.assert(
      fc.property(failures(), ({ policy: any, past: before, draws: drawn, now }) => {
        const slot = lastSlot(any, NOW);
        const isOver = before.roundStartedAt >= slot.from || now + any.firstRetryMs > slot.until;
        const natural = Math.max(now + retryDelay(any, before.rounds, drawn.delay), before.heldUntil ?? now);
        const expires = before.roundStartedAt >= slot.from || (isOver && natural >= slot.from);
        expect(scheduleRetry(any, before, drawn, now).kind).toBe(expires ? "expired" : "due");
      }),
      { numRuns: 500 },
    );
  });

  it("depends only on its arguments: the same draws give the same schedule (law 19)", () => {
    fc.assert(
      fc.property(failures(), ({ policy: any, past: before, draws: drawn, now }) => {
        const again = structuredClone({ any, before, drawn });
        expect(scheduleRetry(again.any, again.before, again.drawn, now)).toEqual(
          scheduleRetry(any, before, drawn, now),
        );
      }),
    );
  });
});

/** `count` draws, evenly over [0, 1). */
function evenly(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index / count);
}

describe("longestDelay", () => {
  it("is the longest delay of a policy, the last slot included", () => {
    expect(longestDelay(DEFAULT_RETRY_POLICY)).toBe(900_000 * 1.5 + W / 250);
  });

  it("is never shorter than a delay after a local fault", () => {
    const brief = policy({ firstRetryMs: 1, maxRetryMs: 10, retryWindowMs: 1_000 });
    expect(longestDelay(brief)).toBe(60_000);
  });

  it("bounds every delay without a hold", () => {
    fc.assert(
      fc.property(failures(), retryDraws(), ({ policy: one, past: failed, now }, drawn) => {
        const { rounds, firstAttemptAt, roundStartedAt } = failed;
        const next = scheduleRetry(one, { rounds, firstAttemptAt, roundStartedAt }, drawn, now);
        if (next.kind === "due") expect(next.dueAt - now).toBeLessThanOrEqual(longestDelay(one));
      }),
    );
  });
});
