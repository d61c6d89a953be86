// Decides when one POST has its reply, how much of the reply's body is kept, and whether its connection can be used again (decision:
// rounds and verdicts). The adapters of the HTTP port report each event.

import type { MonoMs } from "../ids.js";
import type { Fault, Reply } from "./reply.js";
import { MAX_EXCERPT_BYTES, MAX_REPLY_BYTES } from "../limits.js";

/** The status line and headers of a final answer. */
export interface ReplyHead {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** The commands for the adapter after an event. Empty: nothing to do. */
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

/** The state of an exchange. All exchanges share its functions: closures for each would cost more than the rest of the exchange. */
interface OpenExchange extends Exchange {
  readonly timeoutMs: number;
  readonly startedAt: MonoMs;
  head: TimedHead | undefined;
  /** Created with the first chunk, since most answers have no body. */
  body: ExcerptCollector | undefined;
  isReplied: boolean;
  isEnded: boolean;
}

/** An exchange whose head must come within `timeoutMs`. */
export function createExchange(timeoutMs: number, startedAt: MonoMs): Exchange {
  const exchange: OpenExchange = {
    timeoutMs,
    startedAt,
    head: undefined,
    body: undefined,
    isReplied: false,
    isEnded: false,
    onHead,
    onBody,
    onEnd,
    onFault,
    isOver,
  };
  return exchange;
}

function onHead(this: OpenExchange, { status, retryAfter }: ReplyHead, now: MonoMs): ExchangeStep {
  if (this.isEnded || this.head !== undefined) return NOTHING;
  const afterMs = now - this.startedAt;
  // The timer of an adapter may fire late: the time of the head decides.
  if (afterMs > this.timeoutMs) return end(this, "drop", "timeout", now);
  if (!isFinal(status)) return end(this, "drop", "bad-response", now);
  this.head = { status, retryAfter, afterMs };
  return isSuccess(status) ? { reply: replyTo(this, this.head) } : NOTHING;
}

function onBody(this: OpenExchange, chunk: Uint8Array): ExchangeStep {
  if (this.isEnded || this.head === undefined) return NOTHING;
  this.body ??= createExcerptCollector();
  this.body.add(chunk);
  if (this.body.isOver()) return endAnswered(this, "drop", this.head);
  return this.body.isFull() && !this.isReplied ? { reply: replyTo(this, this.head) } : NOTHING;
}

function onEnd(this: OpenExchange, now: MonoMs): ExchangeStep {
  return this.isEnded ? NOTHING : end(this, connectionAfter(this.head), "bad-response", now);
}

function onFault(this: OpenExchange, fault: Fault, now: MonoMs): ExchangeStep {
  return this.isEnded ? NOTHING : end(this, "drop", fault, now);
}

function isOver(this: OpenExchange): boolean {
  return this.isEnded;
}

function end(exchange: OpenExchange, connection: ConnectionEnd, fault: Fault, now: MonoMs): ExchangeStep {
  if (exchange.head !== undefined) return endAnswered(exchange, connection, exchange.head);
  exchange.isEnded = true;
  return { reply: { kind: "silent", fault, afterMs: now - exchange.startedAt }, connection };
}

function endAnswered(exchange: OpenExchange, connection: ConnectionEnd, head: TimedHead): ExchangeStep {
  exchange.isEnded = true;
  return exchange.isReplied ? { connection } : { reply: replyTo(exchange, head), connection };
}

function replyTo(exchange: OpenExchange, { status, afterMs, retryAfter }: TimedHead): Reply {
  exchange.isReplied = true;
  const excerpt = exchange.body === undefined || isSuccess(status) ? NO_BYTES : exchange.body.excerpt();
  const reply = { kind: "answered", status, afterMs, excerpt } as const;
  return retryAfter === undefined ? reply : { ...reply, retryAfter };
}

/** After a failure, a receiver may not have read the request, and may take the rest of it for the next one. */
function connectionAfter(head: TimedHead | undefined): ConnectionEnd {
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

/** Counts the bytes of one body and keeps the first 4,096 of them. */
interface ExcerptCollector {
  add(chunk: Uint8Array): void;
  /** True if 4,096 bytes are in the excerpt. */
  isFull(): boolean;
  /** True if 65,536 bytes have been read: the adapter must stop reading. */
  isOver(): boolean;
  /** The kept bytes, as a new array. */
  excerpt(): Uint8Array;
}

/** A collector for one reply. */
export function createExcerptCollector(): ExcerptCollector {
  const parts: Uint8Array[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  return {
    add(chunk) {
      readBytes += chunk.length;
      const room = MAX_EXCERPT_BYTES - keptBytes;
      if (room <= 0) return;
      // A copy, since the chunk may be a view into a larger buffer that is reused. `Buffer.slice` would not copy.
      const part = Uint8Array.from(chunk.subarray(0, room));
      parts.push(part);
      keptBytes += part.length;
    },
    isFull: () => keptBytes >= MAX_EXCERPT_BYTES,
    isOver: () => readBytes >= MAX_REPLY_BYTES,
    excerpt: () => join(parts, keptBytes),
  };
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
