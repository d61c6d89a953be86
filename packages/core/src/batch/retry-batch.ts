// Decides when a batch is retried, and when it is given up. Delays double, and jitter only ever lengthens them, so that
// clients that failed at the same time do not retry at the same time. judge-answer.ts judges answers.

/** The number of retries of a failed batch, and the delays before them. */
export interface BatchRetryPolicy {
  /** The number of further requests if the first one fails. */
  readonly maxRetries: number;
  /** The shortest delay before the first retry, in milliseconds. */
  readonly firstRetryMs: number;
  /** The longest delay, in milliseconds; jitter is added to it. */
  readonly maxRetryMs: number;
}

/**
 * The delay in milliseconds before the retry of a batch that has failed `tries` times, the first included; undefined if it is given up.
 * `waitMs` is the delay that the server asked for; the longer of `waitMs` and the client's delay is used. `draw` from [0, 1) adds up to
 * half of the client's delay.
 */
export function retryBatch(policy: BatchRetryPolicy, tries: number, waitMs: number, draw: number): number | undefined {
  if (tries > policy.maxRetries) return undefined;
  const delayMs = Math.min(policy.maxRetryMs, policy.firstRetryMs * 2 ** (tries - 1));
  return Math.max(waitMs, Math.floor(delayMs * (1 + draw / 2)));
}
