// Decides when queued calls are flushed (spec, client library §2.1): once enough calls are queued, once the host waits for
// one of them, or once some time has passed since both the last flush and the first queued call.

import { type MonoMs, monoMs } from "../ids.js";
import { MAX_CLIENT_BATCH_BYTES } from "../limits.js";

/** The state of the queue. */
export interface QueueState {
  readonly calls: number;
  readonly bytes: number;
  /** The number of calls that a `flush` or `close` of the host waits for; they are sent immediately. */
  readonly awaited: number;
  /** The instant at which the oldest queued call was added. */
  readonly firstQueuedAt: MonoMs;
  /** Undefined before the first flush. */
  readonly lastFlushAt: MonoMs | undefined;
}

/** The limits at which queued calls are sent: a number of calls, or the milliseconds since both the last flush and the first queued call. */
export interface FlushPolicy {
  readonly flushAt: number;
  readonly flushAfterMs: number;
}

/** The time of the next batch: now, an instant of the monotonic clock, or not before a call comes. */
type NextFlush =
  | { readonly kind: "now" }
  | { readonly kind: "later"; readonly at: MonoMs }
  /** The queue is empty. */
  | { readonly kind: "idle" };

/** Returns the time of the next batch. */
export function nextFlush(queue: QueueState, policy: FlushPolicy, now: MonoMs): NextFlush {
  if (queue.calls === 0) return { kind: "idle" };
  if (isBatchFull(queue, policy) || queue.awaited > 0) return { kind: "now" };
  const at = Math.max(queue.firstQueuedAt, queue.lastFlushAt ?? queue.firstQueuedAt) + policy.flushAfterMs;
  return at <= now ? { kind: "now" } : { kind: "later", at: monoMs(at) };
}

/** True if the queue holds a full batch: `flushAt` calls, or 500,000 bytes. */
export function isBatchFull({ calls, bytes }: QueueState, { flushAt }: FlushPolicy): boolean {
  return calls >= flushAt || bytes >= MAX_CLIENT_BATCH_BYTES;
}
