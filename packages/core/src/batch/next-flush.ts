// Decides when queued calls are flushed (spec, client library §2.1): once there are enough of them, or some time after the
// later of the last flush and the first queued call. Does not know how many requests are in flight.

import { type MonoMs, monoMs } from "../ids.js";
import { MAX_CLIENT_BATCH_BYTES } from "../limits.js";

/** The state of the queue. */
export interface QueueState {
  readonly calls: number;
  readonly bytes: number;
  /** How many of the calls a `flush` or `close` of the host waits for; they are sent at once. */
  readonly awaited: number;
  /** When a call was last added to an empty queue. */
  readonly firstQueuedAt: MonoMs;
  /** Absent before the first flush. */
  readonly lastFlushAt: MonoMs | undefined;
}

export interface FlushPolicy {
  readonly flushAt: number;
  readonly flushAfterMs: number;
}

export type NextFlush =
  | { readonly kind: "now" }
  | { readonly kind: "later"; readonly at: MonoMs }
  /** The queue is empty. */
  | { readonly kind: "idle" };

/** When the next batch is sent. */
export function nextFlush(waiting: QueueState, policy: FlushPolicy, now: MonoMs): NextFlush {
  if (waiting.calls === 0) return { kind: "idle" };
  if (isBatchFull(waiting, policy) || waiting.awaited > 0) return { kind: "now" };
  const at = Math.max(waiting.firstQueuedAt, waiting.lastFlushAt ?? waiting.firstQueuedAt) + policy.flushAfterMs;
  return at <= now ? { kind: "now" } : { kind: "later", at: monoMs(at) };
}

/** Whether the queue holds a full batch: `flushAt` calls, or 500,000 bytes. */
export function isBatchFull({ calls, bytes }: QueueState, { flushAt }: FlushPolicy): boolean {
  return calls >= flushAt || bytes >= MAX_CLIENT_BATCH_BYTES;
}
