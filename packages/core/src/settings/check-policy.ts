// Decides whether the numbers for delivery, retention and rates are valid. Durations and rates must be positive. A lease must
// be longer than the receiver's timeout, since a claim could otherwise end while its request is in flight (decision: leases).

import { LEASE_MARGIN_MS } from "../limits.js";
import type { RetrySchedule } from "../retry/retry-schedule.js";
import type { RateLimit } from "../intake/rate-limit.js";
import type { Problem } from "./problem.js";
import type { DeliveryPolicy, Retention } from "./workspace.js";

/** The problems of a delivery policy, each with the path `PATH.NAME`. */
export function checkDelivery(policy: DeliveryPolicy, path: string): readonly Problem[] {
  const { timeoutMs, retryWindowMs, firstRetryMs, maxRetryMs, leaseMs, historicalAfterMs, growth, jitter } = policy;
  const { maxRetryAfterMs } = policy;
  const durations = {
    timeoutMs,
    retryWindowMs,
    firstRetryMs,
    maxRetryMs,
    maxRetryAfterMs,
    leaseMs,
    historicalAfterMs,
  };
  return [
    ...Object.entries(durations).flatMap(([name, value]) => positive(`${path}.${name}`, value)),
    ...atLeast(`${path}.maxRetryMs`, maxRetryMs, firstRetryMs, "firstRetryMs"),
    ...atLeast(`${path}.leaseMs`, leaseMs, timeoutMs + LEASE_MARGIN_MS, "timeoutMs + 5000"),
    ...atLeast(`${path}.growth`, growth, 1, "1, and finite"),
    ...atLeast(`${path}.jitter`, jitter, 0, "0, and finite"),
    ...(policy.schedule === undefined || isRetrySchedule(policy.schedule)
      ? []
      : [{ code: "wrong-type" as const, path: `${path}.schedule`, expected: EXPECTED_SCHEDULE }]),
  ];
}

/** The requirements on a schedule, in words. */
export const EXPECTED_SCHEDULE =
  "a schedule: an object with a name and a function next, which only code can give, to createPostrider or createRelay";

/** True if a value is a schedule of the host, as far as that can be seen without a call of it. */
export function isRetrySchedule(value: unknown): value is RetrySchedule {
  if (typeof value !== "object" || value === null) return false;
  const { name, next } = value as Partial<Record<keyof RetrySchedule, unknown>>;
  return typeof name === "string" && name.trim() !== "" && typeof next === "function";
}

/** The problems of the retention, each with the path `retention.NAME`. */
export function checkRetention(retention: Retention): readonly Problem[] {
  return [
    ...positive("retention.deliveredHours", retention.deliveredHours),
    ...positive("retention.deadHours", retention.deadHours),
  ];
}

/** The problems of the rate limit of a source or a destination, each with the path `PATH.NAME`. */
export function checkRateLimit({ perSecond, burst }: RateLimit, path: string): readonly Problem[] {
  return [...positive(`${path}.perSecond`, perSecond), ...atLeast(`${path}.burst`, burst, 1, "1, and finite")];
}

function positive(path: string, value: number): readonly Problem[] {
  return Number.isFinite(value) && value > 0 ? [] : [{ code: "not-positive", path, expected: "a number above 0" }];
}

function atLeast(path: string, value: number, least: number, name: string): readonly Problem[] {
  return Number.isFinite(value) && value >= least
    ? []
    : [{ code: "below-minimum", path, expected: `at least ${name}` }];
}
