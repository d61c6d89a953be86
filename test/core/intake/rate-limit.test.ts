import type { MonoMs, RateLimit } from "@postrider/core";
import { type Allowance, spendCalls } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const LIMIT: RateLimit = { perSecond: 10, burst: 5 };

function mono(ms: number): MonoMs {
  return ms as MonoMs;
}

/** The allowance after spending; undefined if it was too much. */
function left(spending: ReturnType<typeof spendCalls>): Allowance | undefined {
  return spending.kind === "ok" ? spending.left : undefined;
}

describe("spendCalls", () => {
  it("gives a new caller the whole burst, and no more", () => {
    expect(spendCalls(LIMIT, undefined, 5, mono(7))).toEqual({ kind: "ok", left: { calls: 0, at: 7 } });
    const spent = left(spendCalls(LIMIT, undefined, 5, mono(7)));
    expect(spendCalls(LIMIT, spent, 1, mono(7))).toEqual({ kind: "refused", waitMs: 100 });
  });

  it("fills steadily, up to the burst", () => {
    const empty: Allowance = { calls: 0, at: mono(0) };
    expect(spendCalls(LIMIT, empty, 1, mono(50))).toEqual({ kind: "refused", waitMs: 50 });
    expect(spendCalls(LIMIT, empty, 1, mono(100))).toEqual({ kind: "ok", left: { calls: 0, at: 100 } });
    expect(left(spendCalls(LIMIT, empty, 1, mono(3_600_000)))?.calls).toBe(4);
  });

  it("takes all of a batch or nothing", () => {
    const some: Allowance = { calls: 2, at: mono(0) };
    expect(spendCalls(LIMIT, some, 3, mono(0))).toEqual({ kind: "refused", waitMs: 100 });
    expect(spendCalls(LIMIT, some, 2, mono(0))).toEqual({ kind: "ok", left: { calls: 0, at: 0 } });
  });

  it("passes a batch larger than the burst when nothing is spent, and leaves a debt", () => {
    const debt = left(spendCalls(LIMIT, undefined, 25, mono(0)));
    expect(debt).toEqual({ calls: -20, at: 0 });
    expect(spendCalls(LIMIT, debt, 1, mono(0))).toEqual({ kind: "refused", waitMs: 2_100 });
    expect(spendCalls(LIMIT, { calls: 4.9, at: mono(0) }, 25, mono(0))).toEqual({ kind: "refused", waitMs: 10 });
  });

  const limits = fc.record({
    perSecond: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0.01, max: 10, noNaN: true })),
    burst: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 1, max: 10, noNaN: true })),
  });
  const asked = fc.array(
    fc.record({ pauseMs: fc.integer({ min: 0, max: 5_000 }), calls: fc.integer({ min: 1, max: 3_000 }) }),
    { minLength: 1, maxLength: 50 },
  );

  it("never passes more than the burst, the rate and one batch allow", () => {
    fc.assert(
      fc.property(limits, asked, (limit, requests) => {
        let allowance: Allowance | undefined;
        let now = 0;
        let taken = 0;
        let largest = 0;
        for (const { pauseMs, calls } of requests) {
          now += pauseMs;
          const spending = spendCalls(limit, allowance, calls, mono(now));
          if (spending.kind === "refused") continue;
          allowance = spending.left;
          taken += calls;
          largest = Math.max(largest, calls);
        }
        expect(taken).toBeLessThanOrEqual(limit.burst + (limit.perSecond * now) / 1_000 + largest + 0.01);
      }),
    );
  });

  it("passes the same calls after the wait that it has answered", () => {
    fc.assert(
      fc.property(limits, asked, (limit, requests) => {
        let allowance: Allowance | undefined;
        let now = 0;
        for (const { pauseMs, calls } of requests) {
          now += pauseMs;
          const first = spendCalls(limit, allowance, calls, mono(now));
          if (first.kind === "refused") {
            expect(first.waitMs).toBeGreaterThan(0);
            now += first.waitMs;
          }
          allowance = left(first.kind === "ok" ? first : spendCalls(limit, allowance, calls, mono(now)));
          expect(allowance).toBeDefined();
        }
      }),
    );
  });
});
