// Decides when one POST has its reply, and whether its connection can be used again (decision: rounds and verdicts). The
// adapters of the HTTP port report each event with its time. Must not know sockets, timers or what a reply means.

import type { MonoMs } from "../ids.js";
import type { Fault, Reply } from "./reply.js";
import { createExcerptCollector, type ExcerptCollector } from "../round/collect-excerpt.js";

/** The status line and headers of a final answer. */
export interface ReplyHead {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** What the adapter must do after an event. Empty: nothing. */
export interface ExchangeStep {
  /** Present once per exchange: `send` resolves with it. */
  readonly reply?: Reply;
  /**
   * Present once per exchange, at its end: whether the connection is kept for the next one, or closed. `renew`: the answer is
   * complete, but no success, so that a new connection is better, if it does not cost too much.
   */
  readonly connection?: "keep" | "renew" | "drop";
}

/** One POST and its answer. The adapter reports each event; once the exchange has ended, further events are ignored. */
export interface Exchange {
  onHead(head: ReplyHead, now: MonoMs): ExchangeStep;
  onBody(chunk: Uint8Array): ExchangeStep;
  /** The answer is complete. */
  onEnd(now: MonoMs): ExchangeStep;
  /** The connection has failed, or the time is up. The fault is the reply only if no head came before. */
  onFault(fault: Fault, now: MonoMs): ExchangeStep;
  isOver(): boolean;
}

type ConnectionEnd = NonNullable<ExchangeStep["connection"]>;

const NOTHING: ExchangeStep = {};
const NO_BYTES = new Uint8Array();

/** A head that came in time, and how long after the start it came. */
interface TimedHead extends ReplyHead {
  readonly afterMs: number;
}

/** An exchange whose head must come within `timeoutMs`. */
export function createExchange(timeoutMs: number, startedAt: MonoMs): Exchange {
  let head: TimedHead | undefined;
  // Created with the first chunk, since most answers have no body.
  let body: ExcerptCollector | undefined;
  let isReplied = false;
  let isOver = false;

  return {
    onHead(given, now) {
      if (isOver || head !== undefined) return NOTHING;
      const afterMs = now - startedAt;
      // The timer of an adapter may fire late: the time of the head decides.
      if (afterMs > timeoutMs) return end("drop", "timeout", now);
      if (!isFinal(given.status)) return end("drop", "bad-response", now);
      head = { status: given.status, retryAfter: given.retryAfter, afterMs };
      return isSuccess(given.status) ? { reply: replyTo(head) } : NOTHING;
    },
    onBody(chunk) {
      if (isOver || head === undefined) return NOTHING;
      body ??= createExcerptCollector();
      body.add(chunk);
      if (body.isOver()) return endAnswered("drop", head);
      return body.isFull() && !isReplied ? { reply: replyTo(head) } : NOTHING;
    },
    onEnd: (now) => (isOver ? NOTHING : end(afterWhole(head), "bad-response", now)),
    onFault: (fault, now) => (isOver ? NOTHING : end("drop", fault, now)),
    isOver: () => isOver,
  };

  function end(connection: ConnectionEnd, fault: Fault, now: MonoMs): ExchangeStep {
    if (head !== undefined) return endAnswered(connection, head);
    isOver = true;
    return { reply: { kind: "silent", fault, afterMs: now - startedAt }, connection };
  }

  function endAnswered(connection: ConnectionEnd, known: TimedHead): ExchangeStep {
    isOver = true;
    return isReplied ? { connection } : { reply: replyTo(known), connection };
  }

  function replyTo({ status, afterMs, retryAfter }: TimedHead): Reply {
    isReplied = true;
    const excerpt = body === undefined || isSuccess(status) ? NO_BYTES : body.excerpt();
    const reply = { kind: "answered", status, afterMs, excerpt } as const;
    return retryAfter === undefined ? reply : { ...reply, retryAfter };
  }
}

/** After a failure, a receiver may not have read the request, and may take the rest of it for the next one. */
function afterWhole(head: TimedHead | undefined): ConnectionEnd {
  if (head === undefined) return "drop";
  return isSuccess(head.status) ? "keep" : "renew";
}

function isFinal(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** Of a final status. */
function isSuccess(status: number): boolean {
  return status <= 299;
}
