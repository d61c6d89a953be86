// The pace of a lane: how many of its deliveries may be in flight, when its next probe is due, and how many deliveries of a
// claim are retries: one of five, if both are due (decision: lanes), and every second probe at most, so that a message that
// no receiver takes cannot block the others (decision: lane health). after-round.ts decides how the pace changes.

import type { MonoMs } from "../ids.js";
import { FIRST_LANE_IN_FLIGHT, PROBE_FIRST_MS, PROBE_MAX_MS, REFUSING_PROBE_MAX_MS, RETRY_EVERY } from "../limits.js";
import { FULL_HEALTH, type LaneHealth } from "./health.js";

/** The pace of a lane. */
export interface Pace {
  /** The number of deliveries that may be in flight: the slots of the lane. */
  readonly limit: number;
  /** True if the limit grows with each success, as it does until a failure first takes a slot. */
  readonly isRamping: boolean;
  /** Successes since the limit last changed. Once a failure has taken a slot, `limit` successes raise the limit by one. */
  readonly successes: number;
  readonly health: LaneHealth;
  /** Present in backoff: only a probe may be sent. */
  readonly backoff: Backoff | undefined;
  /** From [0, 1), drawn once: jitter that keeps the probes of many lanes apart. */
  readonly spread: number;
}

/**
 * The reason for which only probes are sent. `failing`: rounds fail · `refusing`: no endpoint takes anything, and at least one refuses
 * whatever it gets (decision: refusals) · `blocked`: our own address policy refuses every endpoint (decision: blocked destinations).
 */
export type BackoffReason = "failing" | "refusing" | "blocked";

/** The backoff of a lane of which only probes are sent. */
export interface Backoff {
  readonly reason: BackoffReason;
  /** The number of probes that have failed. */
  readonly probes: number;
  /** The instant at which the next probe may be claimed. */
  readonly probeAt: MonoMs;
  /** From this instant on, a new delivery may be sent at once as the probe. */
  readonly freshAt: MonoMs;
}

/**
 * The pace of a lane without history. The default limit of 32 is enough for 1,600 deliveries per second to a receiver that
 * answers in 20 ms; successes raise the limit for faster receivers, failures lower it for slower ones.
 */
export function initialPace(spread: number, limit: number = FIRST_LANE_IN_FLIGHT): Pace {
  return { limit, isRamping: true, successes: 0, health: FULL_HEALTH, backoff: undefined, spread };
}

/**
 * The time to the next probe after this number of failed ones, without the jitter. It grows less for a receiver that refuses, since a
 * probe may be refused for its message.
 */
export function probeDelayMs(reason: BackoffReason, probes: number): number {
  return Math.min(reason === "refusing" ? REFUSING_PROBE_MAX_MS : PROBE_MAX_MS, PROBE_FIRST_MS * 2 ** probes);
}

/** The pace of a lane whose next probe may go out at once; the same pace if it sends more than probes. */
export function probeNow(pace: Pace, now: MonoMs): Pace {
  const { backoff } = pace;
  return backoff === undefined ? pace : { ...pace, backoff: { ...backoff, probeAt: now, freshAt: now } };
}

/** The number of retries in a claim, and the remainder. */
interface RetryShare {
  readonly retries: number;
  /** The remainder, to be passed to the next claim of this lane. */
  readonly carry: number;
}

/** The share of retries in a claim of `limit` deliveries; `carry` is the remainder of the previous claim, 0 at first. */
export function shareRetries(limit: number, carry: number): RetryShare {
  const total = limit + carry;
  return { retries: Math.floor(total / RETRY_EVERY), carry: total % RETRY_EVERY };
}

/** The number of retries that the next probe asks for: 0 for a delivery never tried, undefined for the earliest due of both kinds. */
export function probeRetries({ probes }: Backoff): 0 | undefined {
  return probes % 2 === 0 ? 0 : undefined;
}
