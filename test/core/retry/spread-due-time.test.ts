import { DEFAULT_RETRY_POLICY, windowEnd } from "@postrider/core";
import { lastSlot, type Lateness, spreadDueTime } from "@postrider/core/engine";
import { retryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, NOW } from "../builders.js";

const POLICY = DEFAULT_RETRY_POLICY;
const MINUTE = 60_000;

/** A retry that was due two hours ago; the process has just started. */
function overdue(changes: Partial<Lateness> = {}): Lateness {
  return { firstAttemptAt: at(NOW - 130 * MINUTE), dueAt: at(NOW - 120 * MINUTE), claimingSince: NOW, ...changes };
}

describe("spreadDueTime", () => {
  it("spreads a retry over the longest delay of the policy", () => {
    expect(spreadDueTime(overdue(), POLICY, 0, NOW)).toBe(NOW);
    expect(spreadDueTime(overdue(), POLICY, 0.5, NOW)).toBe(NOW + POLICY.maxRetryMs / 2);
    expect(spreadDueTime(overdue(), POLICY, 0.999_999, NOW)).toBe(NOW + POLICY.maxRetryMs - 1);
  });

  it("does not delay a retry that is at most a minute late", () => {
    expect(spreadDueTime(overdue({ dueAt: at(NOW - MINUTE) }), POLICY, 0.5, NOW)).toBeUndefined();
    expect(spreadDueTime(overdue({ dueAt: at(NOW - MINUTE - 1) }), POLICY, 0.5, NOW)).toBeDefined();
  });

  it("does not delay a retry that became late while the process was claiming", () => {
    expect(spreadDueTime(overdue({ claimingSince: at(NOW - 120 * MINUTE) }), POLICY, 0.5, NOW)).toBeUndefined();
  });

  it("does not delay a retry from the first instant of its last slot on", () => {
    const { from } = lastSlot(POLICY, NOW);
    const late: Lateness = { firstAttemptAt: NOW, dueAt: NOW, claimingSince: at(NOW + 120 * MINUTE) };
    expect(spreadDueTime(late, POLICY, 0, from)).toBeUndefined();
    expect(spreadDueTime(late, POLICY, 0, at(from - 1))).toBe(from - 1);
  });

  it("never delays a first attempt", () => {
    const untried: Lateness = { dueAt: at(NOW - 120 * MINUTE), claimingSince: NOW };
    expect(spreadDueTime(untried, POLICY, 0.5, NOW)).toBeUndefined();
  });

  it("never delays a retry beyond the window, and none in its last slot", () => {
    fc.assert(
      fc.property(
        retryPolicies(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.double({ min: 0, max: 1.1, noNaN: true }),
        (policy, draw, part) => {
          const firstAttemptAt = at(Math.floor(NOW - part * policy.retryWindowMs));
          const spreadTo = spreadDueTime(overdue({ firstAttemptAt }), policy, draw, NOW);
          if (spreadTo === undefined) expect(NOW).toBeGreaterThanOrEqual(lastSlot(policy, firstAttemptAt).from);
          else expect(spreadTo).toBeLessThanOrEqual(windowEnd(policy, firstAttemptAt));
          expect(spreadTo ?? NOW).toBeGreaterThanOrEqual(NOW);
        },
      ),
    );
  });
});
