// Simulates whole deliveries with the pure core: rounds are planned and settled one after the other, replies are arbitrary, and
// the wall clock jumps. These laws hold for every relay that uses core.

import {
  type DeliveryPolicy,
  type Draws,
  type EndpointId,
  type EndpointState,
  type EpochMs,
  judgeReply,
  nextState,
  type Outcome,
  type Reply,
} from "@postrider/core";
import {
  afterReply,
  type EndedAttempt,
  type HeardReply,
  NO_STANDING,
  planRound,
  readRetryAfter,
  settleRound,
  type Standing,
} from "@postrider/core/engine";
import { deliveryPolicies, retryDraws, replies, retryableReplies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, at, endpointId, NOW } from "../builders.js";

const ENDPOINTS = ["https://a.example/", "https://b.example/", "https://c.example/"].map(endpointId);
/** The most rounds of one simulation. With tiny delays in a huge window it ends before the delivery is finished. */
const MAX_ROUNDS = 300;

/** The environment of one round. */
interface Weather {
  readonly replies: readonly Reply[];
  /** What each endpoint has answered to other messages before the round. */
  readonly others: readonly (readonly Reply[])[];
  readonly draws: Draws;
  /** By how much the wall clock has jumped when the round starts, in addition to the time that has passed. */
  readonly jumpMs: number;
  /** By how much it jumps while the round is running. */
  readonly midMs: number;
  /** How late the claim is. */
  readonly lateMs: number;
}

interface Attempt extends EndedAttempt {
  readonly turn: number;
  readonly round: number;
  readonly dueAt: EpochMs;
  /** When its round was settled. */
  readonly endedAt: EpochMs;
  /** Whether it is recorded: its round had a result that says something about the receivers. */
  readonly isRecorded: boolean;
  /** Whether it was a refusal for good. */
  readonly isFinal: boolean;
  /** Whether the endpoint has taken another message before it, and after the attempt before. */
  readonly hasOtherSucceeded: boolean;
}

interface Life {
  readonly attempts: readonly Attempt[];
  readonly end: Outcome | undefined;
}

const others = fc.constantFrom(answered(200), answered(404), answered(503));

const weather = (reply: fc.Arbitrary<Reply>, jump: fc.Arbitrary<number> = fc.constant(0)) =>
  fc.array(
    fc.record({
      replies: fc.array(reply, { minLength: ENDPOINTS.length, maxLength: ENDPOINTS.length }),
      others: fc.array(fc.array(others, { maxLength: 3 }), {
        minLength: ENDPOINTS.length,
        maxLength: ENDPOINTS.length,
      }),
      draws: retryDraws(),
      jumpMs: jump,
      midMs: jump,
      lateMs: fc.oneof(fc.constant(0), fc.nat(60_000)),
    }),
    { minLength: 1, maxLength: 12 },
  );

const jumps = () => fc.oneof(fc.constant(0), fc.integer({ min: -18_000_000, max: 18_000_000 }));

describe("the life of a delivery", () => {
  it("has no attempt outside the window, and none before it is due, while the clock does not jump (laws 1 and 2)", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies()), (policy, course) => {
        const { attempts } = live(policy, course);
        const first = attempts.find(({ isRecorded }) => isRecorded);
        for (const { startedAt, dueAt, isRecorded } of attempts) {
          expect(startedAt).toBeGreaterThanOrEqual(dueAt);
          if (first === undefined || !isRecorded) continue;
          expect(startedAt).toBeLessThanOrEqual(firstOf(attempts) + policy.retryWindowMs);
        }
      }),
    );
  });

  it("has no attempt outside the window, however the wall clock jumps (laws 1 and 24)", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies(), jumps()), (policy, course) => {
        const { attempts } = live(policy, course);
        const until = firstOf(attempts) + policy.retryWindowMs;
        const late = attempts.filter(({ startedAt, round }) => round > 1 && startedAt > until);
        expect(late).toEqual([]);
      }),
    );
  });

  it("has its first attempt however late it is claimed (laws 3 and 24)", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies(), fc.nat(1_000_000_000)), (policy, course) => {
        expect(live(policy, course).attempts.length).toBeGreaterThanOrEqual(ENDPOINTS.length);
      }),
    );
  });

  it("has at most one attempt per endpoint in a round, and none after a refusal for good (laws 6 and 7)", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies(), jumps()), (policy, course) => {
        const { attempts } = live(policy, course);
        const places = attempts.map(({ endpoint, turn }) => `${String(turn)} ${endpoint}`);
        expect(new Set(places).size).toBe(places.length);
        for (const [index, { endpoint, isFinal }] of attempts.entries()) {
          if (!isFinal) continue;
          expect(attempts.slice(index + 1).map((later) => later.endpoint)).not.toContain(endpoint);
        }
      }),
    );
  });

  it("is refused for good only after the endpoint has taken another message since it refused, or for its body", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies(), jumps()), (policy, course) => {
        const { attempts } = live(policy, course);
        for (const [index, { endpoint, reply, isFinal, hasOtherSucceeded }] of attempts.entries()) {
          if (!isFinal) continue;
          const before = attempts.slice(0, index).findLast((one) => one.endpoint === endpoint && one.isRecorded);
          const isOfBody = reply.kind === "answered" && (reply.status === 413 || reply.status === 422);
          const isConfirmed = before !== undefined && judgeReply(before.reply) === "refused" && hasOtherSucceeded;
          expect(isOfBody || isConfirmed).toBe(true);
        }
      }),
    );
  });

  it("ends delivered exactly if an attempt got 2xx, and then has no later round (laws 4, 9, 10)", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies(), jumps()), (policy, course) => {
        const { attempts, end } = live(policy, course);
        const success = attempts.findIndex(({ reply }) => judgeReply(reply) === "success");
        expect(end?.kind === "delivered").toBe(success !== -1);
        if (success === -1) return;
        const { round } = attempts[success]!;
        expect(attempts.slice(success).every((attempt) => attempt.round === round)).toBe(true);
      }),
    );
  });

  it("ends, and if it is dead the reason is correct (laws 8, 10, 15)", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(replies(), jumps()), (policy, course) => {
        const { attempts, end } = live(policy, course);
        fc.pre(end !== undefined);
        if (end.kind !== "dead") return;
        const last = ENDPOINTS.map((endpoint) =>
          attempts.findLast((one) => one.isRecorded && one.endpoint === endpoint),
        );
        const isRefusedByAll = last.every((one) => one !== undefined && judgeReply(one.reply) === "refused");
        const isRefused = isRefusedByAll || isBlockedForTheWindow(attempts, policy);
        expect(end.reason).toBe(isRefused ? "refused" : "expired");
      }),
    );
  });

  it("ends expired if no endpoint ever accepts or refuses", () => {
    fc.assert(
      fc.property(deliveryPolicies(), weather(retryableReplies()), (policy, course) => {
        const { attempts, end } = live(policy, course);
        fc.pre(end !== undefined);
        expect(end).toMatchObject({ kind: "dead", reason: "expired" });
        expect(attempts.length).toBeGreaterThanOrEqual(ENDPOINTS.length);
      }),
    );
  });
});

/** Simulates a delivery. The list of environments repeats when it ends. */
function live(policy: DeliveryPolicy, course: readonly Weather[]): Life {
  const attempts: Attempt[] = [];
  const holds = new Map<EndpointId, EpochMs>();
  const standings = new Map<EndpointId, Standing>();
  const succeeded = new Set<EndpointId>();
  let endpoints: readonly EndpointState[] = [];
  let [rounds, localStreak, dueAt] = [0, 0, NOW];
  let firstAttemptAt: EpochMs | undefined;

  for (let turn = 0; turn < MAX_ROUNDS; turn += 1) {
    const { replies: said, others: heard, draws: drawn, jumpMs, midMs, lateMs } = course[turn % course.length]!;
    // If the clock jumped back, the wait only gets longer.
    const now = at(Math.max(dueAt, dueAt + jumpMs) + lateMs);
    // As a relay does: instants of before a step cannot be compared with those after it.
    if (jumpMs !== 0) standings.clear();
    for (const [place, answers] of heard.entries()) {
      const endpoint = ENDPOINTS[place]!;
      for (const [index, reply] of answers.entries()) {
        note(standings, endpoint, { messageId: `${String(turn)}.${String(index)}`, isFirst: true, reply }, now);
        if (judgeReply(reply) === "success") succeeded.add(endpoint);
      }
    }
    const delivery = { rounds, endpoints, ...(firstAttemptAt !== undefined && { firstAttemptAt }) };
    const context = {
      policy,
      endpoints: ENDPOINTS,
      holds,
      standings,
      saturated: new Set<EndpointId>(),
      dueAt: at(dueAt),
      claimingSince: at(dueAt),
      draw: 0,
    };
    const plan = planRound(delivery, { ...context, leaseUntil: at(now + policy.leaseMs) }, now);
    if (plan.kind === "settle" && plan.outcome.kind === "dead") return { attempts, end: plan.outcome };
    if (plan.kind === "settle") {
      expect(plan.outcome.kind).toBe("released");
      if (plan.outcome.kind === "released") dueAt = plan.outcome.dueAt;
      continue;
    }

    const ended = plan.endpoints.map((endpoint) => ({
      endpoint,
      startedAt: now,
      reply: said[ENDPOINTS.indexOf(endpoint)]!,
    }));
    const over = at(now + midMs + Math.ceil(Math.max(...ended.map(({ reply }) => reply.afterMs))));
    for (const { endpoint, reply } of ended) heed(holds, { endpoint, reply, longestMs: policy.retryWindowMs }, over);
    if (midMs !== 0) standings.clear();
    for (const { endpoint, reply } of ended)
      note(standings, endpoint, { messageId: "own", isFirst: rounds === 0, reply }, over);
    const { confirming } = plan;
    const round = {
      ...{ delivery, acceptedAt: NOW, inForce: ENDPOINTS, confirming, standings, ended, policy, holds, localStreak },
    };
    const settled = settleRound(round, drawn, over);
    const recorded = settled.attempts.map(({ endpoint }) => endpoint);
    attempts.push(
      ...ended.map((one) => ({
        ...one,
        turn,
        round: rounds + 1,
        dueAt,
        endedAt: over,
        isRecorded: recorded.includes(one.endpoint),
        isFinal: settled.endpoints.some(({ endpoint, refused }) => endpoint === one.endpoint && refused),
        hasOtherSucceeded: succeeded.has(one.endpoint),
      })),
    );
    for (const endpoint of recorded) succeeded.delete(endpoint);
    expect(nextState("claimed", EVENTS[settled.outcome.kind])).toBeDefined();
    if (settled.attempts.length > 0) {
      firstAttemptAt ??= at(Math.min(...settled.attempts.map(({ startedAt }) => startedAt)));
      endpoints = settled.endpoints;
      rounds += 1;
    }
    switch (settled.outcome.kind) {
      case "delivered":
      case "dead":
        return { attempts, end: settled.outcome };
      case "rescheduled":
      case "released":
        localStreak = settled.outcome.kind === "released" ? localStreak + 1 : 0;
        dueAt = settled.outcome.dueAt;
    }
  }
  return { attempts, end: undefined };
}

const EVENTS = { delivered: "delivered", dead: "died", rescheduled: "rescheduled", released: "released" } as const;

function heed(
  holds: Map<EndpointId, EpochMs>,
  asked: { readonly endpoint: EndpointId; readonly reply: Reply; readonly longestMs: number },
  now: EpochMs,
): void {
  if (asked.reply.kind !== "answered" || judgeReply(asked.reply) !== "retry") return;
  const until = readRetryAfter(asked.reply.retryAfter, asked.longestMs, now);
  if (until !== undefined) holds.set(asked.endpoint, until);
}

/** Notes what an endpoint has answered to a message. */
function note(standings: Map<EndpointId, Standing>, endpoint: EndpointId, heard: HeardReply, now: EpochMs): void {
  standings.set(endpoint, afterReply(standings.get(endpoint) ?? NO_STANDING, heard, now));
}

/** Whether the last round was blocked, and the delivery had waited for one retry window since it was accepted. */
function isBlockedForTheWindow(attempts: readonly Attempt[], { retryWindowMs }: DeliveryPolicy): boolean {
  const last = attempts.filter(({ turn }) => turn === attempts.at(-1)?.turn);
  const isBlocked = last.every(({ reply }) => reply.kind === "silent" && reply.fault === "forbidden-address");
  return isBlocked && last.length === ENDPOINTS.length && last.every(({ endedAt }) => endedAt >= NOW + retryWindowMs);
}

/** When the window began: the start of the first recorded attempt, or never. */
function firstOf(attempts: readonly Attempt[]): number {
  return attempts.find(({ isRecorded }) => isRecorded)?.startedAt ?? Infinity;
}
