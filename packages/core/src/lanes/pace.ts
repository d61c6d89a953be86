// How fast a lane goes: how many of its deliveries may be under way, and what the rounds that ended last have to do with it.
// Plain data; after-round.ts says how it changes.

import type { DeliveryId, MonoMs } from "../ids.js";
import { FIRST_LANE_IN_FLIGHT } from "../limits.js";

export interface Pace {
  /** How many deliveries may be under way. */
  readonly limit: number;
  /** Until the first failure the limit grows with each success. */
  readonly isSteep: boolean;
  /** Successes that the limit has not grown by yet. */
  readonly successes: number;
  /** Rounds still out that began before the limit was halved: what becomes of them says nothing of the new one. */
  readonly stragglers: number;
  readonly streak: Streak;
  /** Only a probe may go out. */
  readonly hold: Hold | undefined;
  /** From [0, 1), drawn once: keeps the probes of many lanes apart. */
  readonly spread: number;
}

/** Failed rounds in a row. */
export interface Streak {
  readonly rounds: number;
  /** Whose the first of them was. */
  readonly first: DeliveryId | undefined;
  /** Whether a second delivery has failed as well. */
  readonly isShared: boolean;
}

export interface Hold {
  /** Probes that have failed. */
  readonly probes: number;
  /** Not before this may the next one go out. */
  readonly probeAt: MonoMs;
}

export const NO_STREAK: Streak = { rounds: 0, first: undefined, isShared: false };

/**
 * The pace of a lane of which nothing is known yet. By default it begins with as many as a receiver that answers in 20 ms
 * needs for 1,600 a second; growth finds out about quicker ones, and halving about those that this is too much for.
 */
export function startPace(spread: number, limit: number = FIRST_LANE_IN_FLIGHT): Pace {
  return { limit, isSteep: true, successes: 0, stragglers: 0, streak: NO_STREAK, hold: undefined, spread };
}
