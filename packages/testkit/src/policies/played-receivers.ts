// The receivers of a played lane: what each endpoint answers to a round, which of them are on hold by their Retry-After, and how they
// have answered lately. The meaning of each answer is core's.

import {
  type EndpointId,
  endpointId,
  type EpochMs,
  epochMs,
  judgeReply,
  type Reply,
  type RetryPolicy,
} from "@postrider/core";
import { afterReply, type EndedAttempt, holdUntil, NO_STANDING, type Standing } from "@postrider/core/engine";
import type { DownAnswer, LaneOutage } from "./outage.js";

/** A round that is sent: to which endpoints, and which delivery it is of. */
export interface SentRound {
  readonly messageId: string;
  /** Counted from 1. */
  readonly round: number;
  readonly startedAt: EpochMs;
  readonly endpoints: readonly EndpointId[];
}

/** The replies to a round up to the first success, or all of them. */
export interface RepliedRound {
  readonly ended: readonly EndedAttempt[];
  readonly endsAt: EpochMs;
}

export interface PlayedReceivers {
  /** The endpoints of the destination. */
  readonly inForce: readonly EndpointId[];
  /** The end of each hold; some may be over. */
  readonly holds: ReadonlyMap<EndpointId, EpochMs>;
  readonly standings: ReadonlyMap<EndpointId, Standing>;
  /** Answers a round. */
  answer(sent: SentRound): RepliedRound;
  /** Notes what the replies of a round say about their endpoints. To be called when the round ends. */
  hear(sent: SentRound, replied: RepliedRound): void;
}

/** The time that a receiver takes to answer while it is up. */
export const ANSWER_MS = 20;

/** `draw` returns random numbers from [0, 1). */
export function createPlayedReceivers(outage: LaneOutage, policy: RetryPolicy, draw: () => number): PlayedReceivers {
  const receivers = new Map(
    outage.endpoints.map(({ answers }, index) => [endpointId(`https://${String(index + 1)}.example/`), answers]),
  );
  const backAt = outage.startsAt + outage.lastsMs;
  const holds = new Map<EndpointId, EpochMs>();
  const standings = new Map<EndpointId, Standing>();

  function attempt(endpoint: EndpointId, { round, startedAt }: SentRound): EndedAttempt {
    const answers = receivers.get(endpoint) ?? [];
    const answer = answers[(round - 1) % answers.length];
    const isUp = answer === undefined || startedAt >= backAt;
    return { endpoint, startedAt, reply: isUp ? answered(200, ANSWER_MS) : replyOf(answer, startedAt) };
  }

  return {
    inForce: [...receivers.keys()],
    holds,
    standings,
    answer: (sent) => {
      const attempts = sent.endpoints
        .map((endpoint) => attempt(endpoint, sent))
        .sort((left, right) => left.reply.afterMs - right.reply.afterMs);
      const success = attempts.findIndex(({ reply }) => judgeReply(reply) === "success");
      const ended = success < 0 ? attempts : attempts.slice(0, success + 1);
      return { ended, endsAt: epochMs(sent.startedAt + Math.max(...ended.map(({ reply }) => reply.afterMs))) };
    },
    hear: ({ messageId, round, startedAt }, { ended }) => {
      for (const { endpoint, reply } of ended) {
        const at = epochMs(startedAt + reply.afterMs);
        const standing = standings.get(endpoint) ?? NO_STANDING;
        standings.set(endpoint, afterReply(standing, { messageId, isFirst: round === 1, reply }, at));
        if (reply.kind !== "answered" || judgeReply(reply) !== "retry") continue;
        const until = holdUntil(reply.retryAfter, policy, draw(), at);
        if (until !== undefined) holds.set(endpoint, until);
      }
    },
  };
}

/** The reply that this answer is, to an attempt that started at an instant. */
export function replyOf({ gives, tookMs, retryAfter }: DownAnswer, startedAt: EpochMs): Reply {
  if (typeof gives !== "number") return { kind: "silent", fault: gives, afterMs: tookMs };
  if (retryAfter === undefined) return answered(gives, tookMs);
  const { seconds, form } = retryAfter;
  const date = new Date(startedAt + tookMs + seconds * 1_000).toUTCString();
  return { ...answered(gives, tookMs), retryAfter: form === "date" ? date : String(seconds) };
}

function answered(status: number, afterMs: number): Extract<Reply, { readonly kind: "answered" }> {
  return { kind: "answered", status, afterMs, excerpt: new Uint8Array() };
}
