import { DEFAULT_DELIVERY, type EndpointId, type EpochMs, windowEnd } from "@postrider/core";
import { NO_STANDING, planRound, type RoundContext, type RoundDelivery, type Standing } from "@postrider/core/engine";
import { deliveryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, endpointId, NOW } from "../builders.js";

const [a, b, c] = ["https://a.example/", "https://b.example/", "https://c.example/"].map(endpointId) as [
  EndpointId,
  EndpointId,
  EndpointId,
];
const W = DEFAULT_DELIVERY.retryWindowMs;
const fresh: RoundDelivery = { rounds: 0, endpoints: [] };

function context(changes: Partial<RoundContext> = {}): RoundContext {
  return {
    policy: DEFAULT_DELIVERY,
    endpoints: [a, b, c],
    holds: new Map(),
    standings: new Map(),
    saturated: new Set(),
    leaseUntil: at(NOW + 30_000),
    dueAt: NOW,
    claimingSince: at(NOW - W),
    draw: 0,
    ...changes,
  };
}

/** A delivery first tried `agoMs` ago. */
function tried(agoMs: number, refused: readonly EndpointId[] = []): RoundDelivery {
  const endpoints = refused.map((endpoint) => ({ endpoint, refused: true }));
  return { rounds: 1, firstAttemptAt: at(NOW - agoMs), endpoints };
}

const holds = (...held: readonly (readonly [EndpointId, number])[]): ReadonlyMap<EndpointId, EpochMs> =>
  new Map(held.map(([endpoint, ms]) => [endpoint, at(NOW + ms)]));

const attempt = (...endpoints: readonly EndpointId[]) => ({ kind: "attempt", endpoints, confirming: [] });
const release = (dueAt: number) => ({ kind: "settle", outcome: { kind: "released", dueAt } });
const dead = (reason: string) => ({ kind: "settle", outcome: { kind: "dead", reason } });

describe("planRound", () => {
  it("confirms a refusal at endpoints that have taken another message since", () => {
    const standing = (succeededAt: EpochMs | undefined): Standing => ({ ...NO_STANDING, succeededAt });
    const refusedAt = at(NOW - 5_000);
    const endpoints = [a, b, c].map((endpoint) => ({ endpoint, refused: false, refusedAt }));
    const standings = new Map([
      [a, standing(at(NOW - 4_000))],
      [b, standing(refusedAt)],
    ]);
    const plan = planRound({ ...tried(5_000), endpoints }, context({ standings }), NOW);
    expect(plan).toEqual({ ...attempt(a, b, c), confirming: [a] });
    const held = planRound({ ...tried(5_000), endpoints }, context({ standings, holds: holds([a, 1_000]) }), NOW);
    expect(held).toEqual(attempt(b, c));
  });

  it("is dead as refused after the window if nothing but refusals came", () => {
    const refusedAt = at(NOW - 5_000);
    const endpoints = [a, b, c].map((endpoint) => ({ endpoint, refused: false, refusedAt }));
    expect(planRound({ ...tried(W + 1), endpoints }, context(), NOW)).toEqual(dead("refused"));
    expect(planRound({ ...tried(W + 1), endpoints: endpoints.slice(1) }, context(), NOW)).toEqual(dead("expired"));
  });

  it("sends to all endpoints in force, in settings order (law 6)", () => {
    expect(planRound(fresh, context(), NOW)).toEqual(attempt(a, b, c));
  });

  it("delays a retry that was due long before the process started", () => {
    const late = { dueAt: at(NOW - 120_000), claimingSince: NOW, draw: 0.5 };
    expect(planRound(tried(1_000), context(late), NOW)).toEqual(release(NOW + DEFAULT_DELIVERY.maxRetryMs / 2));
    expect(planRound(tried(1_000), context({ ...late, claimingSince: at(NOW - 120_000) }), NOW)).toEqual(
      attempt(a, b, c),
    );
    expect(planRound(fresh, context(late), NOW)).toEqual(attempt(a, b, c));
    expect(planRound(tried(W + 1), context(late), NOW)).toEqual(dead("expired"));
  });

  it("leaves out endpoints that have refused this delivery for good (law 7)", () => {
    expect(planRound(tried(1_000, [b]), context(), NOW)).toEqual(attempt(a, c));
  });

  it("still sends to endpoints that have failed, but not refused", () => {
    const delivery: RoundDelivery = { rounds: 1, endpoints: [{ endpoint: a, refused: false }] };
    expect(planRound(delivery, context(), NOW)).toEqual(attempt(a, b, c));
  });

  it("is dead as refused if all endpoints in force have refused, regardless of former ones (law 8)", () => {
    expect(planRound(tried(1_000, [a, b, c]), context(), NOW)).toEqual(dead("refused"));
    expect(planRound(tried(1_000, [a, b]), context({ endpoints: [b, a] }), NOW)).toEqual(dead("refused"));
    expect(planRound(tried(1_000, [a, b]), context({ endpoints: [c] }), NOW)).toEqual(attempt(c));
  });

  describe("by the lease", () => {
    it("releases the delivery if its lease is too short for an attempt", () => {
      expect(planRound(fresh, context({ leaseUntil: at(NOW + 6_999) }), NOW)).toEqual(release(NOW));
      expect(planRound(fresh, context({ leaseUntil: at(NOW + 7_000) }), NOW)).toEqual(attempt(a, b, c));
    });

    it("releases even an expired delivery, and leaves the decision to the next claim", () => {
      expect(planRound(tried(W + 1), context({ leaseUntil: NOW }), NOW)).toEqual(release(NOW));
    });
  });

  describe("by the window", () => {
    it("starts at the end of the window, and not a millisecond later (law 1)", () => {
      expect(planRound(tried(W), context(), NOW)).toEqual(attempt(a, b, c));
      expect(planRound(tried(W + 1), context(), NOW)).toEqual(dead("expired"));
    });

    it("starts the first round of a delivery, however late it is (law 3)", () => {
      expect(planRound(fresh, context(), at(Date.UTC(2125, 0, 1)))).toEqual(release(Date.UTC(2125, 0, 1)));
      const leaseUntil = at(Date.UTC(2125, 0, 2));
      expect(planRound(fresh, context({ leaseUntil }), at(Date.UTC(2125, 0, 1)))).toEqual(attempt(a, b, c));
    });

    it("is dead as refused rather than as expired if both apply", () => {
      expect(planRound(tried(W + 1, [a, b, c]), context(), NOW)).toEqual(dead("refused"));
    });
  });

  describe("by holds", () => {
    it("leaves out an endpoint on hold until exactly its end (law 6)", () => {
      expect(planRound(fresh, context({ holds: holds([a, 1], [b, 0], [c, -1]) }), NOW)).toEqual(attempt(b, c));
    });

    it("is due when the first hold ends, if all endpoints are on hold", () => {
      expect(planRound(fresh, context({ holds: holds([a, 300], [b, 200], [c, 400]) }), NOW)).toEqual(
        release(NOW + 200),
      );
    });

    it("does not wait for an endpoint that has refused", () => {
      const held = context({ holds: holds([a, 300], [b, 200], [c, 400]) });
      expect(planRound(tried(1_000, [b]), held, NOW)).toEqual(release(NOW + 300));
    });

    it("is due in the last slot at the latest, despite holds (law 18)", () => {
      const all = holds([a, W], [b, W], [c, W]);
      expect(planRound(tried(1_000), context({ holds: all }), NOW)).toEqual(release(NOW - 1_000 + W - 57_600));
      expect(planRound(tried(W - 57_601), context({ holds: all }), NOW)).toEqual(release(NOW + 1));
      expect(planRound(fresh, context({ holds: all }), NOW)).toEqual(release(NOW + W));
    });

    it("ignores holds in the last slot", () => {
      const all = holds([a, W], [b, 5], [c, W]);
      expect(planRound(tried(W - 57_600), context({ holds: all }), NOW)).toEqual(attempt(a, b, c));
    });
  });

  describe("by open attempts", () => {
    it("leaves out an endpoint at its bound while another one is below its bound", () => {
      expect(planRound(fresh, context({ saturated: new Set([a, c]) }), NOW)).toEqual(attempt(b));
    });

    it("sends to all if every endpoint is at its bound", () => {
      expect(planRound(fresh, context({ saturated: new Set([a, b, c]) }), NOW)).toEqual(attempt(a, b, c));
    });

    it("does not count endpoints that are on hold or have refused", () => {
      const busy = context({ saturated: new Set([a]), holds: holds([b, 5]) });
      expect(planRound(tried(1_000, [c]), busy, NOW)).toEqual(attempt(a));
    });
  });

  it("obeys the laws for every delivery under every policy (laws 1, 6, 7, 8)", () => {
    const some = () => fc.subarray([a, b, c]);
    fc.assert(
      fc.property(
        deliveryPolicies(),
        fc.record({ refused: some(), held: some(), saturated: some(), tried: fc.boolean() }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        (policy, { refused, held, saturated, tried: wasTried }, share) => {
          const endpoints = refused.map((endpoint) => ({ endpoint, refused: true }));
          const firstAttemptAt = at(Math.floor(NOW - share * policy.retryWindowMs));
          const delivery = { rounds: wasTried ? 1 : 0, endpoints, ...(wasTried && { firstAttemptAt }) };
          const given = context({
            policy,
            holds: new Map(held.map((endpoint) => [endpoint, at(NOW + 1_000)])),
            saturated: new Set(saturated),
            leaseUntil: at(NOW + policy.leaseMs),
          });
          const plan = planRound(delivery, given, NOW);
          const isOver = wasTried && NOW > windowEnd(policy, firstAttemptAt);
          if (plan.kind === "settle" && plan.outcome.kind === "dead") {
            expect(plan.outcome.reason).toBe(isOver ? "expired" : "refused");
            expect(isOver || refused.length === 3).toBe(true);
          } else if (plan.kind === "attempt") {
            expect(isOver).toBe(false);
            expect(plan.endpoints.length).toBeGreaterThan(0);
            expect(new Set(plan.endpoints).size).toBe(plan.endpoints.length);
            for (const endpoint of refused) expect(plan.endpoints).not.toContain(endpoint);
          } else {
            expect(held.length).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
