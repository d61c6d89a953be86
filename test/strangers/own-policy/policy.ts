// Our policy: few attempts, since our receivers are small, but at least one in each half hour.

import type { RetryPolicy } from "@postrider/core";

export const ourPolicy: RetryPolicy = {
  retryWindowMs: 6 * 3_600_000,
  firstRetryMs: 10_000,
  maxRetryMs: 20 * 60_000,
  growth: 2,
  jitter: 1,
  maxRetryAfterMs: 10 * 60_000,
};
