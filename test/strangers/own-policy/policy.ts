// Our policy: patient, since our receivers are small, but never out of sight for longer than half an hour.

import type { RetryPolicy } from "@postrider/core";

export const ourPolicy: RetryPolicy = {
  retryWindowMs: 6 * 3_600_000,
  firstRetryMs: 10_000,
  maxRetryMs: 20 * 60_000,
  growth: 2,
  jitter: 1,
  maxRetryAfterMs: 10 * 60_000,
};
