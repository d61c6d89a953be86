// Delivery policies that settings allow, with windows from a millisecond to a week. A law that holds for all of them
// holds for the policy of any user.

import type { DeliveryPolicy, RetryPolicy } from "@postrider/core";
import { LEASE_SLACK_MS } from "@postrider/core/engine";
import fc, { type Arbitrary } from "fast-check";

const WEEK_MS = 604_800_000;
/** The least difference between a lease and the timeout. */
const LEASE_MARGIN_MS = LEASE_SLACK_MS + 3_000;

/** Any policy that settings allow, sensible or not. */
export function retryPolicies(): Arbitrary<RetryPolicy> {
  return fc
    .record({
      retryWindowMs: durations(WEEK_MS),
      firstRetryMs: durations(3_600_000),
      moreMs: fc.oneof(fc.constant(0), durations(WEEK_MS)),
      growth: fc.oneof(fc.constantFrom(1, 2), fc.double({ min: 1, max: 10, noNaN: true })),
      jitter: fc.oneof(fc.constantFrom(0, 0.5), fc.double({ min: 0, max: 2, noNaN: true })),
      maxRetryAfterMs: durations(WEEK_MS),
    })
    .map(({ moreMs, ...policy }) => ({ ...policy, maxRetryMs: policy.firstRetryMs + moreMs }));
}

/** A retry policy together with the other delivery settings. */
export function deliveryPolicies(): Arbitrary<DeliveryPolicy> {
  return fc
    .record({
      retry: retryPolicies(),
      timeoutMs: durations(60_000),
      slackMs: durations(60_000),
      historicalAfterMs: durations(WEEK_MS),
    })
    .map(({ retry, timeoutMs, slackMs, historicalAfterMs }) => ({
      ...retry,
      timeoutMs,
      leaseMs: timeoutMs + LEASE_MARGIN_MS + slackMs,
      historicalAfterMs,
    }));
}

/** From 1 ms to `maxMs`; each power of ten is equally likely. Sometimes not a whole number. */
function durations(maxMs: number): Arbitrary<number> {
  const size = fc.double({ min: 0, max: Math.log10(maxMs), noNaN: true }).map((power) => 10 ** power);
  return fc.oneof({ weight: 5, arbitrary: size.map(Math.round) }, size);
}
