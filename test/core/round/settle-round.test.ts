import {
  DEFAULT_RETRY_POLICY,
  type EndpointId,
  type EndpointState,
  judgeReply,
  type Outcome,
  type Reply,
} from "@postrider/core";
import {
  type EndedAttempt,
  NO_STANDING,
  type RoundDelivery,
  type RoundEnd,
  settleRound,
  type Standing,
} from "@postrider/core/engine";
import { retryDraws, replies, retryPolicies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, at, bytes, endpointId, NOW, silent } from "../builders.js";

const [a, b, c] = ["https://a.example/", "https://b.example/", "https://c.example/"].map(endpointId) as [
  EndpointId,
  EndpointId,
  EndpointId,
];
const FIRST = { delay: 0, slot: 0 };
const W = DEFAULT_RETRY_POLICY.retryWindowMs;
const fresh: RoundDelivery = { rounds: 0, endpoints: [] };

function ended(endpoint: EndpointId, reply: Reply, startedAt = at(NOW - 20)): EndedAttempt {
  return { endpoint, startedAt, reply };
}

function round(attempts: readonly EndedAttempt[], changes: Partial<RoundEnd> = {}): RoundEnd {
  return {
    delivery: fresh,
    acceptedAt: NOW,
    inForce: [a, b, c],
    ended: attempts,
    policy: DEFAULT_RETRY_POLICY,
    confirming: [],
    standings: new Map(),
    holds: new Map(),
    localStreak: 0,
    ...changes,
  };
}

const settle = (attempts: readonly EndedAttempt[], changes: Partial<RoundEnd> = {}) =>
  settleRound(round(attempts, changes), FIRST, NOW);

describe("settleRound", () => {
  describe("whose endpoints are all refused by our own address policy", () => {
    const forbidden = silent("forbidden-address");
    const blocked = [ended(a, forbidden), ended(b, forbidden), ended(c, forbidden)];

    it("releases the delivery at once, and records nothing", () => {
      expect(settle(blocked)).toEqual({
        outcome: { kind: "released", dueAt: NOW },
        attempts: [],
        endpoints: [],
        signal: "blocked",
      });
    });

    it("is dead as refused once the delivery has waited for one retry window since it was accepted", () => {
      expect(settle(blocked, { acceptedAt: at(NOW - W + 1) }).outcome.kind).toBe("released");
      expect(settle(blocked, { acceptedAt: at(NOW - W) })).toMatchObject({
        outcome: { kind: "dead", reason: "refused", detail: "forbidden-address" },
        attempts: [],
        signal: "blocked",
      });
    });

    it("keeps the states of its endpoints once it is dead", () => {
      const delivery: RoundDelivery = { rounds: 1, endpoints: [{ endpoint: a, refused: false }] };
      expect(settle(blocked, { delivery, acceptedAt: at(NOW - W) }).endpoints).toEqual(delivery.endpoints);
      expect(settle(blocked, { delivery }).endpoints).toEqual([]);
    });

    it("is an ordinary round if any other endpoint is not refused by the policy, or was not tried", () => {
      const others = { confirming: [a, b, c] };
      const refusing = settle([ended(a, forbidden), ended(b, forbidden), ended(c, answered(404))], others);
      expect(refusing.outcome).toEqual({ kind: "dead", reason: "refused", detail: "404" });
      const retrying = settle([ended(a, forbidden), ended(b, answered(503)), ended(c, forbidden)]);
      expect(retrying).toMatchObject({ outcome: { kind: "rescheduled" }, attempts: [{}, {}, {}] });
      const untried = settle([ended(a, forbidden), ended(b, forbidden)]);
      expect(untried).toMatchObject({ outcome: { kind: "rescheduled" }, attempts: [{}, {}] });
      expect([refusing, retrying, untried].map(({ signal }) => signal)).toEqual(["refused", "failure", "refused"]);
    });
  });

  describe("with a success", () => {
    it("is delivered at the first 2xx, whatever the other replies (law 9)", () => {
      const { outcome } = settle([ended(a, answered(503)), ended(b, answered(404)), ended(c, answered(204))]);
      expect(outcome).toEqual({ kind: "delivered", detail: "204" });
    });

    it("has the status of the success as its detail, not that of the last in settings order", () => {
      const { outcome } = settle([ended(a, answered(201)), ended(c, silent("timeout"))]);
      expect(outcome).toEqual({ kind: "delivered", detail: "201" });
    });

    it("records ended attempts, and the endpoints that failed or refused, but not the successful one", () => {
      const { attempts, endpoints } = settle([
        ended(b, answered(200)),
        ended(a, answered(503, { excerpt: bytes("busy") })),
        ended(c, answered(403)),
      ]);
      expect(attempts.map(({ endpoint, verdict }) => [endpoint, verdict])).toEqual([
        [a, "retry"],
        [b, "success"],
        [c, "refused"],
      ]);
      expect(endpoints).toStrictEqual([
        { endpoint: a, refused: false, excerpt: bytes("busy") },
        { endpoint: c, refused: false, refusedAt: NOW },
      ]);
    });
  });

  describe("with refusals alone", () => {
    const answers = [ended(b, answered(410)), ended(a, answered(404)), ended(c, silent("self-signed"))];
    const before = at(NOW - 5_000);
    const once: RoundDelivery = {
      rounds: 1,
      firstAttemptAt: before,
      endpoints: [a, b, c].map((endpoint) => ({ endpoint, refused: false, refusedAt: before })),
    };

    it("waits, since the receiver may refuse whatever it gets, and remembers when it was refused", () => {
      const { outcome, endpoints } = settle(answers);
      expect(outcome).toEqual({ kind: "rescheduled", dueAt: NOW + 30_000, detail: "self-signed" });
      expect(endpoints).toEqual([a, b, c].map((endpoint) => ({ endpoint, refused: false, refusedAt: NOW })));
    });

    it("is dead at once if all in force have refused for good, long before the window ends (law 8)", () => {
      const { outcome, endpoints } = settle(answers, { delivery: once, confirming: [a, b, c] });
      expect(outcome).toEqual({ kind: "dead", reason: "refused", detail: "self-signed" });
      expect(endpoints).toEqual([a, b, c].map((endpoint) => ({ endpoint, refused: true })));
    });

    it("is dead at its first refusal if that speaks of its body", () => {
      for (const status of [413, 422]) {
        const { outcome } = settle([ended(a, answered(status))], { inForce: [a] });
        expect(outcome).toEqual({ kind: "dead", reason: "refused", detail: String(status) });
      }
    });

    it("waits on, although it confirms a refusal, if the endpoint refuses whatever it gets by now", () => {
      const refusing: Standing = { ...NO_STANDING, succeededAt: before, refused: 3, refusedSince: at(NOW - 2_000) };
      const standings = new Map([[a, refusing]]);
      const { outcome, endpoints } = settle([ended(a, answered(404))], {
        ...{ inForce: [a], delivery: once, confirming: [a], standings },
      });
      expect(outcome.kind).toBe("rescheduled");
      expect(endpoints).toContainEqual({ endpoint: a, refused: false, refusedAt: NOW });
    });

    it("is dead as refused if the window ends while nothing but refusals came", () => {
      const delivery = { ...once, firstAttemptAt: at(NOW - W) };
      expect(settle(answers, { delivery }).outcome).toMatchObject({ kind: "dead", reason: "refused" });
      const mixed = [ended(a, answered(404)), ended(b, answered(404)), ended(c, answered(503))];
      expect(settle(mixed, { delivery }).outcome).toMatchObject({ kind: "dead", reason: "expired" });
    });

    it("asks no schedule of the host before it has been refused twice, and is due soon whatever its rounds", () => {
      const asked: number[] = [];
      const next = ({ rounds }: { readonly rounds: number }) => asked.push(rounds) * 0 + 90_000;
      const policy = { ...DEFAULT_RETRY_POLICY, schedule: { name: "own", next } };
      const late: RoundDelivery = { rounds: 6, firstAttemptAt: at(NOW - 60_000), endpoints: [] };
      expect(settle(answers, { policy, delivery: late }).outcome).toMatchObject({ dueAt: NOW + 30_000 });
      const quick = { ...policy, maxRetryMs: 20_000 };
      expect(settle(answers, { policy: quick, delivery: late }).outcome).toMatchObject({ dueAt: NOW + 20_000 });
      expect(asked).toEqual([]);
      expect(settle(answers, { policy, delivery: once }).outcome).toMatchObject({ dueAt: NOW + 90_000 });
      expect(asked).toEqual([2]);
    });

    it("has gone as its detail for 410", () => {
      expect(settle([ended(a, answered(410))], { inForce: [a] }).outcome).toMatchObject({ detail: "gone" });
    });

    it("counts refusals of earlier rounds", () => {
      const delivery: RoundDelivery = { rounds: 1, endpoints: [{ endpoint: a, refused: true }] };
      const last = [ended(b, answered(404))];
      const { outcome, endpoints } = settle(last, { delivery, inForce: [a, b], confirming: [b] });
      expect(outcome).toMatchObject({ kind: "dead", reason: "refused", detail: "404" });
      expect(endpoints).toEqual([
        { endpoint: a, refused: true },
        { endpoint: b, refused: true },
      ]);
    });

    it("continues while one in force has not refused, even without an attempt in this round (law 7)", () => {
      const two = [ended(a, answered(404)), ended(b, answered(404))];
      const { outcome } = settle(two, { confirming: [a, b] });
      expect(outcome).toEqual({ kind: "rescheduled", dueAt: NOW + 5_000, detail: "404" });
    });

    it("does not count an endpoint that failed before and did not refuse", () => {
      const delivery: RoundDelivery = { rounds: 1, endpoints: [{ endpoint: b, refused: false }] };
      const { outcome } = settle([ended(a, answered(404))], { delivery, inForce: [a, b], confirming: [a] });
      expect(outcome.kind).toBe("rescheduled");
    });
  });

  describe("shows of the receiver that it", () => {
    const refusing: Standing = { ...NO_STANDING, refused: 3, refusedSince: at(NOW - 2_000) };
    const signalOf = (attempts: readonly EndedAttempt[], down: readonly EndpointId[], inForce = [a, b]) =>
      settle(attempts, { inForce, standings: new Map(down.map((endpoint) => [endpoint, refusing])) }).signal;
    const [refusedA, failedB] = [ended(a, answered(404)), ended(b, answered(503))];

    it("has refused one message, if it has not refused others", () => {
      expect(signalOf([refusedA], [], [a])).toBe("refused");
      expect(signalOf([refusedA, ended(b, answered(404))], [a])).toBe("refused");
    });

    it("refuses whatever it gets, if all its endpoints do, or the others are at rest, forbidden or silent", () => {
      expect(signalOf([refusedA], [a], [a])).toBe("refusing");
      expect(signalOf([refusedA, ended(b, answered(404))], [a, b])).toBe("refusing");
      expect(signalOf([refusedA], [a])).toBe("refusing");
      expect(signalOf([refusedA, ended(b, silent("forbidden-address"))], [a])).toBe("refusing");
    });

    it("fails, if any of its endpoints may be tried again", () => {
      expect(signalOf([refusedA, failedB], [a])).toBe("failure");
      expect(signalOf([failedB], [], [b])).toBe("failure");
    });

    it("works, after a success, whatever its other endpoints refuse", () => {
      expect(signalOf([refusedA, ended(b, answered(200))], [a])).toBe("success");
    });
  });

  describe("with a schedule of the host", () => {
    const failed = [ended(a, answered(503))];
    const policyOf = (next: () => number) => ({ ...DEFAULT_RETRY_POLICY, schedule: { name: "own", next } });

    it("is due when that says, and reports no fault", () => {
      const settled = settle(failed, { policy: policyOf(() => 7_000) });
      expect(settled.outcome).toMatchObject({ kind: "rescheduled", dueAt: NOW + 7_000 });
      expect(settled).not.toHaveProperty("scheduleFault");
    });

    it("is due as without one, and reports the fault, if that throws or answers no number", () => {
      const throws = () => {
        throw new Error("no");
      };
      const { outcome } = settle(failed);
      expect(settle(failed, { policy: policyOf(throws) })).toMatchObject({ outcome, scheduleFault: "threw" });
      expect(settle(failed, { policy: policyOf(() => NaN) })).toMatchObject({ outcome, scheduleFault: "no-number" });
    });
  });

  describe("with failures", () => {
    it("is due again after the first delay, and then after growing ones", () => {
      const failed = [ended(a, answered(503))];
      expect(settle(failed).outcome).toEqual({ kind: "rescheduled", dueAt: NOW + 5_000, detail: "503" });
      const later: RoundDelivery = { rounds: 3, firstAttemptAt: at(NOW - 60_000), endpoints: [] };
      expect(settle(failed, { delivery: later }).outcome).toMatchObject({ dueAt: NOW + 40_000 });
    });

    it("has the result of the last endpoint in settings order as its detail, not that of the last reply", () => {
      const attempts = [ended(c, silent("dns")), ended(a, answered(500)), ended(b, silent("timeout"))];
      expect(settle(attempts).outcome).toMatchObject({ detail: "dns" });
    });

    it("uses both draws", () => {
      const failed = round([ended(a, answered(503))]);
      expect(settleRound(failed, { delay: 0.5, slot: 0 }, NOW).outcome).toMatchObject({ dueAt: NOW + 6_250 });
      const late = { ...failed, delivery: { rounds: 9, firstAttemptAt: at(NOW - W + 600_000), endpoints: [] } };
      const drawn = [0, 0.5].map((slot) => settleRound(late, { delay: 0, slot }, NOW).outcome);
      expect(drawn).toMatchObject([{ dueAt: NOW + 542_400 }, { dueAt: NOW + 567_600 }]);
    });

    it("counts the window from the first recorded attempt", () => {
      const delivery: RoundDelivery = { rounds: 9, firstAttemptAt: at(NOW - W + 57_600), endpoints: [] };
      const inTime = settle([ended(a, answered(503), at(NOW - 1))], { delivery });
      const tooLate = settle([ended(a, answered(503), NOW)], { delivery });
      expect(inTime.outcome.kind).toBe("rescheduled");
      expect(tooLate.outcome).toEqual({ kind: "dead", reason: "expired", detail: "503" });
    });

    it("counts the window of a first round from its earliest attempt", () => {
      const policy = { ...DEFAULT_RETRY_POLICY, retryWindowMs: 10_000 };
      const attempts = [ended(a, answered(503), at(NOW - 2_000)), ended(b, answered(503), at(NOW - 5_000))];
      expect(settle(attempts, { policy }).outcome).toMatchObject({ kind: "dead", reason: "expired" });
      expect(settle(attempts.slice(0, 1), { policy }).outcome).toMatchObject({ kind: "rescheduled" });
    });

    it("waits until the first of the endpoints that may still get it comes off hold", () => {
      const holds = new Map([
        [a, at(NOW + 90_000)],
        [b, at(NOW + 60_000)],
        [c, at(NOW + 30_000)],
      ]);
      const attempts = [ended(a, answered(503)), ended(b, answered(503)), ended(c, answered(404))];
      const settle = (some: readonly EndedAttempt[], changes: Partial<RoundEnd>) =>
        settleRound(round(some, { confirming: [c], ...changes }), FIRST, NOW);
      expect(settle(attempts, { holds }).outcome).toMatchObject({ dueAt: NOW + 60_000 });
      holds.delete(a);
      expect(settle(attempts, { holds }).outcome).toMatchObject({ dueAt: NOW + 5_000 });
    });

    it("keeps the excerpt of the latest failure, and none of an empty answer or of silence", () => {
      const known: readonly EndpointState[] = [a, b, c].map((endpoint) => ({
        endpoint,
        refused: false,
        excerpt: bytes("old"),
      }));
      const { endpoints } = settle(
        [ended(a, answered(500, { excerpt: bytes("new") })), ended(b, answered(500)), ended(c, silent("timeout"))],
        { delivery: { rounds: 1, endpoints: known } },
      );
      expect(endpoints).toStrictEqual([
        { endpoint: a, refused: false, excerpt: bytes("new") },
        { endpoint: b, refused: false },
        { endpoint: c, refused: false },
      ]);
    });

    it("keeps the state of endpoints without an attempt", () => {
      const known: readonly EndpointState[] = [{ endpoint: b, refused: true, excerpt: bytes("no") }];
      const { endpoints } = settle([ended(a, answered(500))], { delivery: { rounds: 1, endpoints: known } });
      expect(endpoints).toContainEqual({ endpoint: b, refused: true, excerpt: bytes("no") });
    });
  });

  describe("with local faults", () => {
    it("releases the delivery, and records no attempt and no endpoint, if there is no other reply", () => {
      const known: readonly EndpointState[] = [{ endpoint: a, refused: true }];
      const settled = settle([ended(b, silent("local")), ended(c, silent("local"))], {
        delivery: { rounds: 2, endpoints: known },
      });
      expect(settled).toEqual({
        outcome: { kind: "released", dueAt: NOW + 1_000 },
        attempts: [],
        endpoints: [],
        signal: "local",
      });
    });

    it.each([
      [0, 1_000],
      [1, 2_000],
      [5, 32_000],
      [6, 60_000],
      [5_000, 60_000],
    ])("after %i such rounds in a row waits %i ms", (localStreak, delayMs) => {
      expect(settle([ended(a, silent("local"))], { localStreak }).outcome).toEqual({
        kind: "released",
        dueAt: NOW + delayMs,
      });
    });

    it("leaves them out of a round with other replies", () => {
      const { outcome, attempts, endpoints } = settle([ended(a, answered(503)), ended(b, silent("local"))]);
      expect(outcome).toMatchObject({ kind: "rescheduled", detail: "503" });
      expect(attempts.map(({ endpoint }) => endpoint)).toEqual([a]);
      expect(endpoints.map(({ endpoint }) => endpoint)).toEqual([a]);
    });

    it("does not count one as a refusal", () => {
      const mixed = [ended(a, answered(404)), ended(b, silent("local"))];
      expect(settle(mixed, { inForce: [a, b] }).outcome.kind).toBe("rescheduled");
    });
  });

  it("numbers its attempts by the rounds recorded so far", () => {
    const { attempts } = settle([ended(a, answered(503)), ended(b, answered(503))], {
      delivery: { rounds: 4, endpoints: [] },
    });
    expect(attempts.map(({ round: number }) => number)).toEqual([5, 5]);
  });

  it("settles every round with exactly one outcome, for a defined reason (laws 6-9, 15)", () => {
    const attempts = fc
      .tuple(fc.subarray([a, b, c], { minLength: 1 }), fc.array(replies(), { minLength: 3, maxLength: 3 }))
      .map(([endpoints, some]) => endpoints.map((endpoint, index) => ended(endpoint, some[index]!)));
    fc.assert(
      fc.property(attempts, retryPolicies(), retryDraws(), fc.nat(20), (all, policy, drawn, rounds) => {
        const firstAttempt = rounds === 0 ? {} : { firstAttemptAt: at(NOW - 1_000) };
        const confirming = [a, b, c];
        const given = round(all, { policy, confirming, delivery: { rounds, endpoints: [], ...firstAttempt } });
        const settled = settleRound(given, drawn, NOW);
        const judgements = all.map(({ reply }) => judgeReply(reply));
        expect(settled.outcome.kind).toBe(kindOf(settled.outcome, judgements));
        expect(settled.attempts).toHaveLength(judgements.filter((judgement) => judgement !== "local").length);
        const refused = settled.endpoints.filter((state) => state.refused);
        expect(refused).toHaveLength(judgements.filter((judgement) => judgement === "refused").length);
      }),
      { numRuns: 300 },
    );
  });
});

/** The outcomes that the judgements allow; the schedule decides between `rescheduled` and `expired`. */
function kindOf(outcome: Outcome, judgements: readonly string[]): Outcome["kind"] {
  if (judgements.includes("success")) return "delivered";
  if (judgements.every((judgement) => judgement === "local")) return "released";
  if (judgements.length === 3 && judgements.every((judgement) => judgement === "refused")) return "dead";
  return outcome.kind === "dead" && outcome.reason === "expired" ? "dead" : "rescheduled";
}
