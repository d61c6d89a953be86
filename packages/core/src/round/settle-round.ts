// Decides the outcome of a round (spec, webhook destination §4, rule 1, and §7; decisions: rounds and verdicts, refusals, blocked
// destinations): delivered at the first success, dead once every endpoint in force has refused for good, otherwise another round.
// Called at the first success or at the last reply; later replies are recorded but decide nothing.

import type { AttemptRecord, Detail, EndpointState, Outcome } from "../delivery/delivery.js";
import { type EndpointId, type EpochMs, epochMs, plusMs } from "../ids.js";
import type { RoundSignal } from "../lanes/health.js";
import type { RetryPolicy } from "../retry/retry-policy.js";
import type { ScheduleFault } from "../retry/retry-schedule.js";
import { type Draws, scheduleConfirmation, scheduleRetry } from "../retry/schedule.js";
import { describeResult, FORBIDDEN_ADDRESS, isForbidden, isOfOneMessage, judgeReply } from "./judge-reply.js";
import {
  recordAttempt,
  type EndedAttempt,
  type HoldEnds,
  isRefusedByAll,
  type RoundDelivery,
  type Standings,
  withoutRefused,
} from "./round.js";
import { isRefusing, NO_STANDING } from "./standing.js";
import { LOCAL_FAULT_FIRST_MS, LOCAL_FAULT_MAX_MS } from "../limits.js";

/** The outcome of a round, with the attempts and the states of endpoints that are stored. */
export interface SettledRound {
  readonly outcome: Outcome;
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
  /** The evidence of the round about the receiver. */
  readonly signal: RoundSignal;
  /** Present if the policy has a schedule of the host, which was not followed. */
  readonly scheduleFault?: ScheduleFault;
}

/** A round that has ended. */
export interface RoundEnd {
  readonly delivery: RoundDelivery;
  readonly acceptedAt: EpochMs;
  /** The destination's endpoints in force, in settings order. */
  readonly inForce: readonly EndpointId[];
  /** The attempts that have ended: those up to the first success, or all. At least one. */
  readonly ended: readonly EndedAttempt[];
  readonly policy: RetryPolicy;
  /** The endpoints of which a refusal is for good, unless they refuse whatever they get. */
  readonly confirming: readonly EndpointId[];
  /** The standings after the replies of this round. */
  readonly standings: Standings;
  /** The holds from this round and earlier ones. */
  readonly holds: HoldEnds;
  /** The number of rounds in a row, right before this one, that had only local faults. */
  readonly localStreak: number;
}

/** Settles a round; `now` is when it ended. Attempts with a local fault are not recorded. */
export function settleRound(round: RoundEnd, draws: Draws, now: EpochMs): SettledRound {
  if (isBlocked(round)) return settleBlocked(round, now);
  const { delivery, inForce } = round;
  const ended = inSettingsOrder(round.ended, inForce).filter((attempt) => judgeReply(attempt.reply) !== "local");
  const attempts = ended.map((attempt) => recordAttempt(attempt, delivery.rounds + 1));
  const lastAttempt = attempts.at(-1);
  if (lastAttempt === undefined) {
    return settleUnrecorded(round, "local", {
      kind: "released",
      dueAt: plusMs(now, localFaultDelay(round.localStreak)),
    });
  }

  const endpoints = rememberEndpoints(round, ended, now);
  const success = attempts.find((attempt) => attempt.verdict === "success");
  if (success !== undefined) {
    const outcome: Outcome = { kind: "delivered", detail: describeResult(success.result) };
    return { outcome, attempts, endpoints, signal: "success" };
  }
  const failure = { ...round, attempts, endpoints, detail: describeResult(lastAttempt.result) };
  return { ...endFailedRound(failure, draws, now), attempts, endpoints, signal: signalOfFailure(failure, now) };
}

type Ending = Pick<SettledRound, "outcome" | "scheduleFault">;

/** True if every endpoint in force was tried, and our own address policy refused all of them. */
function isBlocked({ ended, inForce }: RoundEnd): boolean {
  return ended.length === inForce.length && ended.every(({ reply }) => isForbidden(reply));
}

/**
 * Settles a round of a blocked destination. The delivery is due at once: its lane decides when the addresses are looked up
 * again. It is dead once it has waited for one retry window since it was accepted.
 */
function settleBlocked(round: RoundEnd, now: EpochMs): SettledRound {
  const hasWaited = now >= plusMs(round.acceptedAt, round.policy.retryWindowMs);
  return settleUnrecorded(
    round,
    "blocked",
    hasWaited ? dead("refused", FORBIDDEN_ADDRESS) : { kind: "released", dueAt: now },
  );
}

/** Settles a round that says nothing about the receiver: it starts no window, and its attempts are not recorded. */
function settleUnrecorded({ delivery }: RoundEnd, signal: "local" | "blocked", outcome: Outcome): SettledRound {
  return { ...settleWithoutRound(delivery, outcome), signal };
}

/** Settles a claim for which no round is recorded. */
export function settleWithoutRound({ endpoints }: Pick<RoundDelivery, "endpoints">, outcome: Outcome): SettledRound {
  return { outcome, attempts: [], endpoints: outcome.kind === "released" ? [] : endpoints, signal: "none" };
}

interface FailedRound extends RoundEnd {
  readonly attempts: readonly AttemptRecord[];
  readonly endpoints: readonly EndpointState[];
  readonly detail: Detail;
}

function endFailedRound(round: FailedRound, draws: Draws, now: EpochMs): Ending {
  const { delivery, attempts, endpoints, detail } = round;
  const candidates = withoutRefused(round.inForce, endpoints);
  if (candidates.length === 0) return { outcome: dead("refused", detail) };
  const isRefused = isRefusedByAll({ endpoints }, round.inForce);

  const roundStartedAt = epochMs(Math.min(...attempts.map((attempt) => attempt.startedAt)));
  const heldUntil = epochMs(Math.min(...candidates.map((endpoint) => round.holds.get(endpoint) ?? now)));
  const firstAttemptAt = delivery.firstAttemptAt ?? roundStartedAt;
  const history = { rounds: delivery.rounds + 1, firstAttemptAt, roundStartedAt, heldUntil, attempts };
  const isFirstRefusal = isRefused && !isRefusedByAll(delivery, round.inForce);
  const schedule = isFirstRefusal ? scheduleConfirmation : scheduleRetry;
  const nextRound = schedule(round.policy, history, draws, now);
  const outcome: Outcome =
    nextRound.kind === "due"
      ? { kind: "rescheduled", dueAt: nextRound.dueAt, detail }
      : dead(isRefused ? "refused" : "expired", detail);
  return nextRound.fault === undefined ? { outcome } : { outcome, scheduleFault: nextRound.fault };
}

function dead(reason: "expired" | "refused", detail: Detail): Outcome {
  return { kind: "dead", reason, detail };
}

/**
 * The evidence of a round without success about the receiver: it fails, it refuses this message, or it refuses whatever it gets. An
 * endpoint that got no request, although it may get one, has asked for rest, does not answer or is forbidden.
 */
function signalOfFailure({ inForce, standings, attempts, endpoints }: FailedRound, now: EpochMs): RoundSignal {
  const isRefusingAll = (endpoint: EndpointId): boolean => isRefusingIn(standings, endpoint, now);
  const answering = new Set(endpoints.filter(({ refused }) => refused).map(({ endpoint }) => endpoint));
  for (const { endpoint, result } of attempts) if (!isForbidden(result)) answering.add(endpoint);
  const isDown = inForce.every((endpoint) => isRefusingAll(endpoint) || !answering.has(endpoint));
  if (isDown && inForce.some(isRefusingAll)) return "refusing";
  return attempts.some(({ verdict }) => verdict === "retry") ? "failure" : "refused";
}

function isRefusingIn(standings: Standings, endpoint: EndpointId, now: EpochMs): boolean {
  return isRefusing(standings.get(endpoint) ?? NO_STANDING, now);
}

function rememberEndpoints(
  { delivery: { endpoints: previousStates }, confirming, standings }: RoundEnd,
  ended: readonly EndedAttempt[],
  now: EpochMs,
): readonly EndpointState[] {
  const failures = ended.filter((attempt) => judgeReply(attempt.reply) !== "success");
  if (failures.length === 0) return previousStates;
  const states = new Map(previousStates.map((state) => [state.endpoint, state]));
  for (const { endpoint, reply } of failures) {
    const isRefused = judgeReply(reply) === "refused";
    const isConfirmed = confirming.includes(endpoint) && !isRefusingIn(standings, endpoint, now);
    const refused = isRefused && (isConfirmed || isOfOneMessage(reply));
    const excerpt = reply.kind === "answered" && reply.excerpt.length > 0 ? { excerpt: reply.excerpt } : {};
    states.set(endpoint, { endpoint, refused, ...(isRefused && !refused ? { refusedAt: now } : {}), ...excerpt });
  }
  return [...states.values()];
}

function inSettingsOrder(ended: readonly EndedAttempt[], inForce: readonly EndpointId[]): readonly EndedAttempt[] {
  if (ended.length === 1) return ended;
  return ended.toSorted((a, b) => inForce.indexOf(a.endpoint) - inForce.indexOf(b.endpoint));
}

/**
 * The delay in milliseconds: 1 s doubled `streak` times, at most 60 s. `streak` counts the local rounds right before this
 * one.
 */
function localFaultDelay(streak: number): number {
  return Math.min(LOCAL_FAULT_MAX_MS, LOCAL_FAULT_FIRST_MS * 2 ** streak);
}
