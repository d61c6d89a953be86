// Laws of schedules that a host gives as functions: whatever the function does, what follows stays within the policy.

import {
  DEFAULT_RETRY_POLICY,
  longestDelay,
  retryDelay,
  type RetryPolicy,
  type RetrySchedule,
  type ScheduleInput,
  scheduleRetry,
  windowEnd,
} from "@postrider/core";
import { lastSlot } from "@postrider/core/engine";
import { nastyNumbers, retryDraws, retryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, endpointId, NOW } from "../builders.js";

type Next = RetrySchedule["next"];

const own = (next: unknown): RetryPolicy => ({
  ...DEFAULT_RETRY_POLICY,
  schedule: { name: "own", next: next as Next },
});
const DRAWS = { delay: 0.5, slot: 0.5 };
const PAST = { rounds: 3, firstAttemptAt: NOW, roundStartedAt: at(NOW + 60_000) };
const LATER = at(NOW + 65_000);

/** Answers that are no finite number, and no word that a schedule may say. */
const NONSENSE: readonly unknown[] = [
  NaN,
  Infinity,
  -Infinity,
  undefined,
  null,
  "5000",
  "give up",
  5_000n,
  new Number(5_000),
  [5_000],
  { valueOf: () => 5_000 },
  Promise.resolve(5_000),
  Symbol("soon"),
  () => 5_000,
];

/** Functions of any kind: numbers of any size, words, nonsense, throws, and functions that spoil their argument. */
const anyNext = (): fc.Arbitrary<(input: ScheduleInput) => unknown> =>
  fc.oneof(
    fc.oneof(fc.double(), nastyNumbers(), fc.integer({ min: 0, max: 20_000_000 })).map((answer) => () => answer),
    fc.func<[ScheduleInput], number>(fc.double()) as fc.Arbitrary<(input: ScheduleInput) => unknown>,
    fc.constantFrom("give-up", ...NONSENSE).map((answer) => () => answer),
    fc.anything().map((thrown) => () => {
      throw thrown;
    }),
    fc.constant((input: ScheduleInput) => {
      for (const key of Object.keys(input)) Reflect.set(input, key, NaN);
      return 7_000;
    }),
  );

const failures = () =>
  fc.record({
    policy: retryPolicies(),
    next: anyNext(),
    rounds: fc.integer({ min: 1, max: 60 }),
    share: fc.double({ min: 0, max: 1.1, noNaN: true }),
    tookMs: fc.oneof(fc.nat(5_000), fc.integer({ min: -18_000_000, max: 18_000_000 })),
    heldMs: fc.option(fc.nat(86_400_000), { nil: undefined }),
    draws: retryDraws(),
  });

describe("any schedule of a host", () => {
  it("starts no round after the window, nor in the past, nor before the shortest delay, nor during a hold", () => {
    fc.assert(
      fc.property(failures(), ({ policy, next, rounds, share, tookMs, heldMs, draws }) => {
        const roundStartedAt = at(Math.floor(NOW + share * policy.retryWindowMs));
        const now = at(roundStartedAt + tookMs);
        const held = heldMs === undefined ? {} : { heldUntil: at(now + heldMs) };
        const withOwn = { ...policy, schedule: { name: "any", next: next as Next } };
        const planned = scheduleRetry(withOwn, { rounds, firstAttemptAt: NOW, roundStartedAt, ...held }, draws, now);
        if (planned.kind === "expired") return;
        expect(Number.isSafeInteger(planned.dueAt)).toBe(true);
        expect(planned.dueAt).toBeLessThanOrEqual(windowEnd(policy, NOW));
        expect(planned.dueAt).toBeGreaterThanOrEqual(now + policy.firstRetryMs);
        const { from } = lastSlot(policy, NOW);
        if (planned.dueAt < from) expect(planned.dueAt).toBeGreaterThanOrEqual(held.heldUntil ?? 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends: however short its delays are, rounds follow each other until the window is over", () => {
    fc.assert(
      fc.property(anyNext(), (next) => {
        const policy = { ...own(next), retryWindowMs: 100_000 };
        let startedAt = NOW;
        let rounds = 1;
        for (; rounds <= 25; rounds += 1) {
          const planned = scheduleRetry(
            policy,
            { rounds, firstAttemptAt: NOW, roundStartedAt: startedAt },
            DRAWS,
            startedAt,
          );
          if (planned.kind === "expired") break;
          startedAt = planned.dueAt;
        }
        expect(rounds).toBeLessThanOrEqual(21);
      }),
    );
  });

  it("decides as if it were not there if it throws or answers no finite number, and says so", () => {
    const bad = fc.oneof(
      fc.constantFrom(...NONSENSE).map((answer) => ({ next: () => answer, fault: "no-number" })),
      fc.anything().map((thrown) => ({ next: () => { throw thrown; }, fault: "threw" })), // prettier-ignore
    );
    fc.assert(
      fc.property(bad, retryDraws(), fc.nat(14_400_000), ({ next, fault }, draws, startedMs) => {
        const past = { ...PAST, roundStartedAt: at(NOW + startedMs) };
        const byNumbers = scheduleRetry(DEFAULT_RETRY_POLICY, past, draws, past.roundStartedAt);
        const isAsked = past.roundStartedAt < lastSlot(DEFAULT_RETRY_POLICY, NOW).from;
        const planned = scheduleRetry(own(next), past, draws, past.roundStartedAt);
        expect(planned).toEqual(isAsked ? { ...byNumbers, fault } : byNumbers);
      }),
    );
  });

  it("is not asked for a policy without one", () => {
    expect(scheduleRetry(DEFAULT_RETRY_POLICY, PAST, DRAWS, LATER)).not.toHaveProperty("fault");
  });
});

describe("a schedule of a host", () => {
  it("decides the delay, in whole milliseconds", () => {
    const planned = scheduleRetry(
      own(() => 123_456.2),
      PAST,
      DRAWS,
      LATER,
    );
    expect(planned).toEqual({ kind: "due", dueAt: LATER + 123_457 });
  });

  it("is told what has happened, when the window ends, and a draw", () => {
    const seen: ScheduleInput[] = [];
    const attempts = [
      { endpoint: endpointId("https://a/"), result: { kind: "answered", status: 503 }, verdict: "retry" },
    ] as const;
    const policy = own((input: ScheduleInput) => {
      seen.push(input);
      return 5_000;
    });
    scheduleRetry(policy, { ...PAST, attempts, heldUntil: at(LATER + 9_000) }, DRAWS, LATER);
    scheduleRetry(policy, PAST, DRAWS, LATER);
    const asked = { ...PAST, attempts, windowEndsAt: NOW + 14_400_000, now: LATER, draw: 0.5 };
    expect(seen).toEqual([
      { ...asked, heldUntil: LATER + 9_000 },
      { ...asked, attempts: [] },
    ]);
  });

  it("cannot change what is stored: it gets copies", () => {
    const attempts = [{ endpoint: endpointId("https://a/"), result: { kind: "answered", status: 503 }, verdict: "retry" }] as const; // prettier-ignore
    const policy = own((input: { attempts: { result: { status: number } }[] }) => {
      input.attempts[0]!.result.status = 200;
      input.attempts.pop();
      return 5_000;
    });
    scheduleRetry(policy, { ...PAST, attempts }, DRAWS, LATER);
    expect(attempts).toEqual([{ endpoint: "https://a/", result: { kind: "answered", status: 503 }, verdict: "retry" }]);
  });

  it("may give up", () => {
    expect(
      scheduleRetry(
        own(() => "give-up"),
        PAST,
        DRAWS,
        LATER,
      ),
    ).toEqual({ kind: "expired" });
  });

  it("gets its last round in the last slot if it asks for more than the window", () => {
    const planned = scheduleRetry(
      own(() => 1e300),
      PAST,
      DRAWS,
      LATER,
    );
    const { from, until } = lastSlot(DEFAULT_RETRY_POLICY, NOW);
    expect(planned).toEqual({ kind: "due", dueAt: Math.floor(from + 0.5 * (until - from)) });
  });

  it("is called as a method of its object", () => {
    class Steady {
      readonly name = "steady";
      readonly #ms = 42_000;
      next(): number {
        return this.#ms;
      }
    }
    const planned = scheduleRetry({ ...DEFAULT_RETRY_POLICY, schedule: new Steady() }, PAST, DRAWS, LATER);
    expect(planned).toEqual({ kind: "due", dueAt: LATER + 42_000 });
  });

  it("leaves no rejected promise behind, which would end a process", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const planned = scheduleRetry(
      own(() => Promise.reject(new Error("late"))),
      PAST,
      DRAWS,
      LATER,
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listen);
    expect({ planned, unhandled }).toMatchObject({ planned: { fault: "no-number" }, unhandled: [] });
  });

  it("may ask for any delay within the window, so that only a later due time shows a clock that was set back", () => {
    expect(longestDelay(own(() => 0))).toBe(14_400_000);
    expect(longestDelay({ ...own(() => 0), retryWindowMs: 10 })).toBe(
      longestDelay({ ...DEFAULT_RETRY_POLICY, retryWindowMs: 10 }),
    );
  });
});

describe("a policy with a number that is none", () => {
  it.each(["firstRetryMs", "maxRetryMs", "growth", "jitter", "retryWindowMs"] as const)("is refused: %s", (name) => {
    for (const value of [NaN, Infinity, undefined, "5000"]) {
      const policy = { ...DEFAULT_RETRY_POLICY, [name]: value };
      const problem = `policy.${name}: expected a finite number`;
      expect(() => scheduleRetry(policy, PAST, DRAWS, LATER)).toThrow(`scheduleRetry: ${problem}`);
      expect(() => longestDelay(policy)).toThrow(`longestDelay: ${problem}`);
      if (name === "retryWindowMs") expect(() => windowEnd(policy, NOW)).toThrow(`windowEnd: ${problem}`);
      else expect(() => retryDelay(policy, 1, 0)).toThrow(`retryDelay: ${problem}`);
    }
  });
});
