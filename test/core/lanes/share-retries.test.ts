import { probeRetries, RETRY_EVERY, shareRetries } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MONO } from "./builders.js";

describe("shareRetries", () => {
  it("keeps a fifth of each claim for retries", () => {
    expect(shareRetries(32, 0)).toEqual({ retries: 6, carry: 2 });
    expect(shareRetries(5, 0)).toEqual({ retries: 1, carry: 0 });
  });

  it("makes every fifth claim of one delivery a retry", () => {
    expect([0, 1, 2, 3, 4].map((carry) => shareRetries(1, carry).retries)).toEqual([0, 0, 0, 0, 1]);
  });

  it("gives retries a fifth over time, however small the claims are", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 200 }), (claims) => {
        let [carry, retries, total] = [0, 0, 0];
        for (const limit of claims) {
          const share = shareRetries(limit, carry);
          expect(share.retries).toBeLessThanOrEqual(limit);
          carry = share.carry;
          retries += share.retries;
          total += limit;
          expect(retries).toBe(Math.floor(total / RETRY_EVERY));
        }
      }),
    );
  });
});

describe("probeRetries", () => {
  it("asks for a delivery never tried and for the earliest due by turns", () => {
    const times = { reason: "failing" as const, probeAt: MONO, freshAt: MONO };
    const probes = [0, 1, 2, 3].map((count) => probeRetries({ ...times, probes: count }));
    expect(probes).toEqual([0, undefined, 0, undefined]);
  });
});
