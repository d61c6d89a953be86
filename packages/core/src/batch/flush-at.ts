// Decides when the calls that wait are sent (spec, client library §2.1): once there are enough of them, or some time
// after the later of the last flush and the first queued call. Whether a request may go out just now is not asked here.

import type { MonoMs } from "../ids.js";
import { MAX_SENT_BYTES } from "../limits.js";

/** What waits. */
export interface Waiting {
  readonly calls: number;
  readonly bytes: number;
  /** How many of them somebody waits for. */
  readonly awaited: number;
  /** When the queue was last empty and got a call. */
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
  /** Nothing waits. */
  | { readonly kind: "idle" };

/** When the next batch is made. */
export function nextFlush(waiting: Waiting, policy: FlushPolicy, now: MonoMs): NextFlush {
  if (waiting.calls === 0) return { kind: "idle" };
  if (isFull(waiting, policy) || waiting.awaited > 0) return { kind: "now" };
  const at = Math.max(waiting.firstQueuedAt, waiting.lastFlushAt ?? waiting.firstQueuedAt) + policy.flushAfterMs;
  return at <= now ? { kind: "now" } : { kind: "later", at: at as MonoMs };
}

/** Whether what waits makes a batch, whatever the time. */
export function isFull({ calls, bytes }: Waiting, { flushAt }: FlushPolicy): boolean {
  return calls >= flushAt || bytes >= MAX_SENT_BYTES;
}
