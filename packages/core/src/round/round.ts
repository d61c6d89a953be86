// A round: the parallel attempts of one delivery, one for each endpoint that may get it, and the record of an attempt that
// has ended: its result, its duration and its verdict.

import type { EndpointState, AttemptRecord, AttemptResult, Verdict } from "../delivery/delivery.js";
import type { EndpointId, EpochMs } from "../ids.js";
import type { Reply } from "../http/reply.js";
import type { Standing } from "./standing.js";
import { judgeReply } from "./judge-reply.js";

/** The part of a delivery that a round needs. */
export interface RoundDelivery {
  /** The number of rounds recorded so far. */
  readonly rounds: number;
  readonly firstAttemptAt?: EpochMs;
  readonly endpoints: readonly EndpointState[];
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly endpoint: EndpointId;
  readonly startedAt: EpochMs;
  readonly reply: Reply;
}

/** For each endpoint on hold because of its Retry-After: when the hold ends. */
export type HoldEnds = ReadonlyMap<EndpointId, EpochMs>;

/** The recent answers of each endpoint that has any. */
export type Standings = ReadonlyMap<EndpointId, Standing>;

/** The endpoints that have not refused the delivery for good. */
export function withoutRefused(
  endpoints: readonly EndpointId[],
  states: readonly EndpointState[],
): readonly EndpointId[] {
  if (states.length === 0) return endpoints;
  const refused = new Set(states.filter((state) => state.refused).map((state) => state.endpoint));
  return endpoints.filter((endpoint) => !refused.has(endpoint));
}

/** True if each endpoint in force has refused the delivery in its latest attempt, for good or not. */
export function isRefusedByAll(
  { endpoints }: Pick<RoundDelivery, "endpoints">,
  inForce: readonly EndpointId[],
): boolean {
  const refused = new Set(
    endpoints.filter((state) => state.refused || state.refusedAt !== undefined).map(({ endpoint }) => endpoint),
  );
  return inForce.every((endpoint) => refused.has(endpoint));
}

/** The record of an attempt in the given round, counted from 1. A local fault has the verdict `retry`. */
export function recordAttempt({ endpoint, startedAt, reply }: EndedAttempt, round: number): AttemptRecord {
  const judgement = judgeReply(reply);
  const verdict: Verdict = judgement === "local" ? "retry" : judgement;
  return { round, endpoint, startedAt, durationMs: Math.round(reply.afterMs), result: resultOf(reply), verdict };
}

function resultOf(reply: Reply): AttemptResult {
  return reply.kind === "answered"
    ? { kind: "answered", status: reply.status }
    : { kind: "silent", fault: reply.fault };
}
