// When a failed round is tried again, as data. The spec gives the window (webhook destination §7: 5xx for at
// most 4 hours) and leaves count and spacing open; the spacing is ours (decision: schedule).

/** Durations in milliseconds. */
export interface RetryPolicy {
  /** No attempt starts later than this after the first recorded one. */
  readonly retryWindowMs: number;
  /** The shortest delay before the second round. */
  readonly firstRetryMs: number;
  /** Where delays stop growing. */
  readonly maxRetryMs: number;
  /** By which factor the delay grows from round to round; at least 1. */
  readonly growth: number;
  /** How much is added at random, as a share of the delay: 0.5 draws from d to 1.5 d. Never less than d. */
  readonly jitter: number;
  /** How long an endpoint is left alone at most because its Retry-After asks for it, before chance adds to that. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  retryWindowMs: 14_400_000,
  firstRetryMs: 5_000,
  maxRetryMs: 900_000,
  growth: 2,
  jitter: 0.5,
  maxRetryAfterMs: 300_000,
};
