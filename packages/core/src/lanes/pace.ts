// How fast a lane goes: how many of its deliveries may be under way, and what the rounds that ended last have to do with it.
// Plain data; after-round.ts says how it changes.

import type { MonoMs } from "../ids.js";
import { FIRST_LANE_IN_FLIGHT } from "../limits.js";
import { GOOD_HEALTH, type Health } from "./health.js";

export interface Pace {
  /** How many deliveries may be under way. */
  readonly limit: number;
  /** Until a failure first takes a place away the limit grows with each success. */
  readonly isSteep: boolean;
  /** Successes that the limit has not grown by yet. */
  readonly successes: number;
  readonly health: Health;
  /** Only a probe may go out. */
  readonly hold: Hold | undefined;
  /** From [0, 1), drawn once: keeps the probes of many lanes apart. */
  readonly spread: number;
}

export interface Hold {
  /** Probes that have failed. */
  readonly probes: number;
  /** Not before this may the next one be claimed. */
  readonly probeAt: MonoMs;
  /** From here on a delivery that comes in may go out in its place. */
  readonly freshAt: MonoMs;
}

/**
 * The pace of a lane of which nothing is known yet. By default it begins with as many as a receiver that answers in 20 ms
 * needs for 1,600 a second; growth finds out about quicker ones, and failures about those that this is too much for.
 */
export function startPace(spread: number, limit: number = FIRST_LANE_IN_FLIGHT): Pace {
  return { limit, isSteep: true, successes: 0, health: GOOD_HEALTH, hold: undefined, spread };
}
