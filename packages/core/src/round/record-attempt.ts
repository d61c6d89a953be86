// Turns an attempt that has ended into the record that is stored: its result, its duration and its verdict. Knows no store.

import type { AttemptRecord, AttemptResult, Verdict } from "../delivery/delivery.js";
import type { Reply } from "../http/reply.js";
import { judgeReply } from "./judge-reply.js";
import type { EndedAttempt } from "./round.js";

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
