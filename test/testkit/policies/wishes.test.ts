// Each wish holds for a policy that keeps it, and finds the policy that does not, with a sentence that says why.

import { DEFAULT_DELIVERY, type DeliveryPolicy } from "@postrider/core";
import {
  atLeastRounds,
  atMostRequests,
  backWithin,
  firstRetryWithin,
  type LaneOutage,
  noStampede,
  playLane,
  type PolicyProperty,
  spreadsRetries,
  survivesOutage,
} from "@postrider/testkit/policies";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** One endpoint that answers 503 at once. */
const OUTAGE: LaneOutage = {
  lastsMs: 1,
  endpoints: [{ answers: [{ gives: 503, tookMs: 0 }] }],
  startsAt: Date.UTC(2026, 0, 5),
  seed: 0,
};

/** 720 calls within an hour. */
const LANE = { calls: 720, everyMs: 5 * SECOND };

/** 20 calls at one time: too few for a hold within ten seconds. */
const BURST = { calls: 20, everyMs: 1 };

const keeps = (property: PolicyProperty): void => {
  fc.assert(property);
};

/** The sentence with which a wish fails, and the outage that shows it. */
function failureOf(property: PolicyProperty): { readonly says: string; readonly lastsMs: number | undefined } {
  const { failed, counterexample, errorInstance } = fc.check(property);
  expect(failed, "the flaw is found").toBe(true);
  return { says: (errorInstance as Error).message, lastsMs: counterexample?.[0].lastsMs };
}

describe("the default policy", () => {
  it("survives an outage of nearly its window, and answers within a quarter of an hour and its jitter", () => {
    keeps(survivesOutage({}, { outageMs: 3 * HOUR + 55 * MINUTE }));
    keeps(backWithin({}, { outageMs: 3 * HOUR, withinMs: 23 * MINUTE }));
    keeps(firstRetryWithin({}, { withinMs: 8 * SECOND }));
    keeps(atMostRequests({}, { outageMs: 3 * HOUR, requests: 25 }));
    keeps(atLeastRounds({}, { rounds: 12 }));
    keeps(spreadsRetries({}, { share: 0.7 }));
  });

  it("sends a held lane hardly more than one request for each call", () => {
    fc.assert(atMostRequests({}, { outageMs: HOUR, requests: 1.4, load: LANE }), { numRuns: 20 });
    expect(failureOf(atMostRequests({}, { outageMs: HOUR, requests: 1.4 })).says).toContain("2 requests for each call");
  });

  it("survives an outage with a held lane too", () => {
    fc.assert(survivesOutage({}, { outageMs: 2 * HOUR, load: LANE }), { numRuns: 10 });
    fc.assert(backWithin({}, { outageMs: 2 * HOUR, withinMs: 25 * MINUTE, load: LANE }), { numRuns: 10 });
  });
});

describe("a policy with a flaw in its numbers", () => {
  it.each<[string, Partial<DeliveryPolicy>, (policy: Partial<DeliveryPolicy>) => PolicyProperty, RegExp]>([
    [
      "a window that is too short",
      { retryWindowMs: 2 * HOUR },
      (policy) => survivesOutage(policy, { outageMs: 3 * HOUR }),
      /^down for (2(\.\d)? h|119\.\d min): a call died after \d+ tries, the last one (2 h|119\.\d min) after it came$/,
    ],
    [
      "seconds for milliseconds",
      { retryWindowMs: 14_400 },
      (policy) => survivesOutage(policy, { outageMs: HOUR }),
      /^down for \d+(\.\d)? s: a call died after \d tries, the last one \d+(\.\d)? s after it came$/,
    ],
    [
      "gaps of an hour",
      { maxRetryMs: HOUR, growth: 10 },
      (policy) => backWithin(policy, { outageMs: 3 * HOUR, withinMs: 25 * MINUTE }),
      /^back after .+: the last call was delivered \d+(\.\d)? min later, not within 25 min$/,
    ],
    [
      "no growth",
      { growth: 1 },
      (policy) => atMostRequests(policy, { outageMs: HOUR, requests: 25 }),
      /^down for 2(\.\d)? min: 2[56] requests for each call, not at most 25$|^down for \d+(\.\d)? s: 2[56] requests/,
    ],
    [
      "a first retry after five minutes",
      { firstRetryMs: 5 * MINUTE },
      (policy) => firstRetryWithin(policy, { withinMs: 10 * SECOND }),
      /^the first try failed: the second one came [5-7](\.\d)? min later, not within 10 s$/,
    ],
    [
      "too few tries",
      { firstRetryMs: 30 * MINUTE, maxRetryMs: HOUR },
      (policy) => atLeastRounds(policy, { rounds: 12 }),
      /^down for the whole window of 4 h: [3-7] tries, not at least 12$/,
    ],
    [
      "no jitter, for calls that came in at one time",
      { jitter: 0 },
      (policy) => noStampede(policy, { outageMs: 10 * SECOND, share: 0.9, load: BURST }),
      /^back after .+: (20|19) of 20 calls were tried in one second, not at most 18$/,
    ],
    [
      "a schedule that gives up",
      { schedule: { name: "impatient", next: ({ rounds }) => (rounds < 3 ? 10_000 : "give-up") } },
      (policy) => survivesOutage(policy, { outageMs: HOUR }),
      /^down for 2\d(\.\d)? s: a call died after 3 tries, the last one 2\d(\.\d)? s after it came$/,
    ],
    [
      "no second try",
      { schedule: { name: "once", next: () => "give-up" } },
      (policy) => firstRetryWithin(policy, { withinMs: 10 * SECOND }),
      /^the first try failed: there was no second one, not within 10 s$/,
    ],
    [
      "a call that is never delivered",
      { schedule: { name: "once", next: () => "give-up" } },
      (policy) => backWithin(policy, { outageMs: HOUR, withinMs: HOUR }),
      /^back after 1 ms: a call was never delivered, not within 60 min$/,
    ],
  ])("is found: %s", (_, policy, wish, sentence) => {
    expect(failureOf(wish(policy)).says).toMatch(sentence);
  });

  it("is shrunk to a short outage", () => {
    const { lastsMs } = failureOf(survivesOutage({ retryWindowMs: 10 * MINUTE }, { outageMs: 3 * HOUR }));
    expect(lastsMs).toBeLessThanOrEqual(10 * MINUTE);
    expect(lastsMs).toBeGreaterThan(9 * MINUTE);
  });

  it("is not found where it is not: the default spreads what came in at one time, as long as no lane was held", () => {
    keeps(noStampede({}, { outageMs: 10 * SECOND, share: 0.9, load: BURST }));
    const { says } = failureOf(noStampede({}, { outageMs: HOUR, share: 0.2, load: LANE }));
    expect(says).toMatch(/^back after .+: \d+ of 720 calls were tried in one second, not at most 144$/);
  });
});

describe("a wish", () => {
  it("refuses a policy and figures that are none, before anything is played", () => {
    expect(() => survivesOutage({ firstRetryMs: NaN }, { outageMs: HOUR })).toThrow(
      "survivesOutage: policy.firstRetryMs: expected a number above 0",
    );
    expect(() => survivesOutage({}, { outageMs: NaN })).toThrow(
      "survivesOutage: outageMs: expected a number, 0 or more",
    );
    expect(() => backWithin({}, { outageMs: 1, withinMs: -1 })).toThrow("backWithin: withinMs: expected");
    expect(() => atMostRequests({}, { outageMs: 1, requests: NaN })).toThrow("atMostRequests: requests: expected");
    expect(() => noStampede({}, { outageMs: 1, share: NaN })).toThrow("noStampede: share: expected");
    expect(() => firstRetryWithin({}, { withinMs: NaN })).toThrow("firstRetryWithin: withinMs: expected");
    expect(() => atLeastRounds({}, { rounds: NaN })).toThrow("atLeastRounds: rounds: expected");
    const load = { calls: 0, everyMs: 1 };
    expect(() => survivesOutage({}, { outageMs: 1, load })).toThrow("survivesOutage: load.calls: expected");
    expect(() => playLane({ jitter: NaN }, OUTAGE)).toThrow("playLane: policy.jitter: expected");
    expect(() => playLane({}, { ...OUTAGE, endpoints: [] })).toThrow(
      "playLane: outage.endpoints: expected one to five",
    );
    expect(() => playLane({}, { ...OUTAGE, endpoints: [{ answers: [] }] })).toThrow(
      "playLane: outage.endpoints: expected",
    );
    expect(() => spreadsRetries({}, { share: -1 })).toThrow("spreadsRetries: share: expected");
  });

  it("counts no request of atMostRequests that core alone decides, after a first refusal", () => {
    const answers = [503, 404].map((gives) => ({ gives, tookMs: 0 }));
    const outage = { ...OUTAGE, endpoints: [{ answers }], lastsMs: 3 * HOUR };
    const rounds = playLane({}, outage)[0]?.rounds ?? [];
    const decided = rounds.filter(({ isConfirmation }) => !isConfirmation);
    expect(rounds.length - decided.length).toBeGreaterThan(5);
    const isKept = (requests: number): boolean =>
      !fc.check(atMostRequests({}, { outageMs: 3 * HOUR, requests }), { examples: [[outage]], numRuns: 1 }).failed;
    expect([decided.length, decided.length - 1].map(isKept)).toEqual([true, false]);
  });

  it("ends for a policy that never stops trying, which counts as dead", () => {
    const policy = { ...DEFAULT_DELIVERY, firstRetryMs: 1, maxRetryMs: 1, growth: 1, jitter: 0 };
    const [only] = playLane(policy, { ...OUTAGE, lastsMs: 4 * HOUR });
    expect(only?.rounds).toHaveLength(100_000);
    expect(only?.deliveredMs).toBeUndefined();
  });
});
