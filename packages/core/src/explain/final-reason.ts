// Decides the reason for the end of a delivery, and the attempt that decided it. Of its lane it sees only the present state.

import { defined } from "../defined.js";
import type { AttemptRecord, DeliveryRecord } from "../delivery/delivery.js";
import type { EndpointId } from "../ids.js";
import type { RetryPolicy } from "../retry/retry-policy.js";
import { lastSlot } from "../retry/schedule.js";
import { describeResult, FORBIDDEN_ADDRESS } from "../round/judge-reply.js";
import type { DeliveryReason, LaneClosure, DeliveryFacts } from "./delivery-reason.js";
import type { LaneStatus } from "./lane-status.js";

/** The success that delivered it: the one whose answer came first. */
export function successIn({ attempts }: DeliveryRecord): { readonly attempt?: AttemptRecord } {
  const successes = attempts.filter(({ verdict }) => verdict === "success");
  const first = successes.toSorted((a, b) => answeredAt(a) - answeredAt(b))[0];
  return first === undefined ? {} : { attempt: first };
}

function answeredAt({ startedAt, durationMs }: AttemptRecord): number {
  return startedAt + durationMs;
}

/** Returns the reason for which a dead delivery is dead. */
export function reasonOfDeath(facts: DeliveryFacts): DeliveryReason {
  const { reason = "expired" } = facts.record;
  switch (reason) {
    case "expired":
      return expiry(facts);
    case "refused":
      return refusal(facts.record);
    case "lane-full":
      return { kind: reason, ...defined({ closedNow: closureOf(facts.lane) }) };
    case "purged":
    case "destination-removed":
      return { kind: reason };
  }
}

function expiry({ record, settings, windowEndsAt, lane }: DeliveryFacts): DeliveryReason {
  const attempt = lastFailure(record);
  const isCutShort = attempt === undefined || !isLastPossible(attempt, record, settings.delivery);
  const closedNow = isCutShort ? closureOf(lane) : undefined;
  return {
    kind: "expired",
    isCutShort,
    others: otherFailures(record),
    ...defined({ attempt, windowEndsAt, closedNow }),
  };
}

/** True if no round could have followed: it was in the last slot, or no retry after it fitted before the end of that slot. */
function isLastPossible(attempt: AttemptRecord, { attempts }: DeliveryRecord, policy: RetryPolicy): boolean {
  const { round, startedAt } = attempt;
  const { from, until } = lastSlot(policy, earliest(attempt, attempts).startedAt);
  const endedAt = Math.max(...attempts.filter((candidate) => candidate.round === round).map(answeredAt));
  return startedAt >= from || endedAt + policy.firstRetryMs > until;
}

/** Of `attempt` and the others, the one of the earliest round. After a clock was set back, a later round may have started earlier. */
export function earliest(attempt: AttemptRecord, otherAttempts: readonly AttemptRecord[]): AttemptRecord {
  return otherAttempts.reduce((first, candidate) => (candidate.round < first.round ? candidate : first), attempt);
}

function closureOf(lane: LaneStatus | undefined): LaneClosure | undefined {
  if (lane === undefined || lane.mode === "open") return undefined;
  return { mode: lane.mode, pausedBy: lane.pausedBy };
}

/** The failure of the last round whose result the delivery has as its detail, or else the last failure of that round. */
export function lastFailure({ attempts, detail }: DeliveryRecord): AttemptRecord | undefined {
  const round = Math.max(0, ...attempts.map((attempt) => attempt.round));
  const failures = attempts.filter((attempt) => attempt.round === round && attempt.verdict !== "success");
  return failures.findLast(({ result }) => describeResult(result) === detail) ?? failures.at(-1);
}

/** The latest attempt of each endpoint that has failed, without that of the endpoint of `lastFailure`. */
export function otherFailures(record: DeliveryRecord): readonly AttemptRecord[] {
  const failure = lastFailure(record);
  return latestOfEach(record.attempts).filter(
    ({ endpoint, verdict }) => endpoint !== failure?.endpoint && verdict !== "success",
  );
}

/** The attempt of each endpoint whose round is the latest: after a clock was set back, it may have started earlier than those before. */
function latestOfEach(attempts: readonly AttemptRecord[]): readonly AttemptRecord[] {
  const latestByEndpoint = new Map<EndpointId, AttemptRecord>();
  for (const attempt of attempts) {
    const previous = latestByEndpoint.get(attempt.endpoint);
    if (previous === undefined || attempt.round >= previous.round) latestByEndpoint.set(attempt.endpoint, attempt);
  }
  return [...latestByEndpoint.values()];
}

function refusal({ attempts, endpoints, detail }: DeliveryRecord): DeliveryReason {
  const refusals = latestOfEach(attempts.filter(({ verdict }) => verdict === "refused"));
  if (refusals.length === 0 && detail === FORBIDDEN_ADDRESS) return { kind: "never-allowed" };
  const isFinal = endpoints.every(({ refusedAt }) => refusedAt === undefined);
  return { kind: "refused", attempts: refusals, isFinal };
}
