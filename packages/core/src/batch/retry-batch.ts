// Decides when a batch that was not taken is sent again, and when it is given up. Delays double and only ever get longer
// by chance, so that clients that failed together do not come back together.

export interface BatchRetryPolicy {
  /** Tries after the first one. */
  readonly maxRetries: number;
  /** The shortest delay before the second try, in milliseconds. */
  readonly firstRetryMs: number;
  /** Where delays stop growing. */
  readonly maxRetryMs: number;
}

export type NextTry = { readonly kind: "again"; readonly afterMs: number } | { readonly kind: "given-up" };

/**
 * After `tries` tries, the first included. `waitMs` is what the server has asked for; it is kept to, though never below
 * the delay of our own. `draw` from [0, 1).
 */
export function retryBatch(policy: BatchRetryPolicy, tries: number, waitMs: number, draw: number): NextTry {
  if (tries > policy.maxRetries) return { kind: "given-up" };
  const delayMs = Math.min(policy.maxRetryMs, policy.firstRetryMs * 2 ** (tries - 1));
  return { kind: "again", afterMs: Math.max(waitMs, Math.floor(delayMs * (1 + draw / 2))) };
}
