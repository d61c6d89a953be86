// The pace of a lane: how many of its deliveries may be in flight, and the values by which that number is adjusted. after-round.ts
// decides how the pace changes.

import type { MonoMs } from "../ids.js";
import { FIRST_LANE_IN_FLIGHT, PROBE_FIRST_MS, PROBE_MAX_MS, REFUSING_PROBE_MAX_MS } from "../limits.js";
import { FULL_HEALTH, type LaneHealth } from "./health.js";

/** The pace of a lane. */
export interface Pace {
  /** How many deliveries may be in flight: the slots of the lane. */
  readonly limit: number;
  /** Whether the limit grows with each success, as it does until a failure first takes a slot. */
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
 * Why only probes are sent. `failing`: rounds fail · `refusing`: no endpoint takes anything, and at least one refuses whatever it
 * gets (decision: refusals) · `blocked`: our own address policy refuses every endpoint (decision: blocked destinations).
 */
export type BackoffReason = "failing" | "refusing" | "blocked";

/** The backoff of a lane of which only probes are sent. */
export interface Backoff {
  readonly reason: BackoffReason;
  /** The number of probes that have failed. */
  readonly probes: number;
  /** When the next probe may be claimed. */
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
