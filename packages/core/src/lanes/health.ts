// Keeps the health of a lane: the share of failures among its first attempts, as a moving average (decision: lane health).
// Retries may fail because of their message rather than their receiver: they count only if no first attempt has succeeded for
// a while, and never twice in a row for the same delivery.

import type { DeliveryId, MonoMs } from "../ids.js";
import { HEALTH_ROUNDS, RETRIES_IGNORED_MS } from "../limits.js";

/** The health of a lane. */
export interface LaneHealth {
  /** The share of failures, from 0 (all succeed) towards 1 (all fail). */
  readonly failing: number;
  /** Failures since the last success. */
  readonly inARow: number;
  /**
   * The instant of the last success of a first attempt, or up to a quarter of `RETRIES_IGNORED_MS` earlier; undefined if there was none.
   */
  readonly succeededAt: MonoMs | undefined;
  /** The delivery whose retry counted last. */
  readonly lastRetried: DeliveryId | undefined;
}

/** A round that succeeded or failed, as a sample for the average. */
export interface HealthSample {
  readonly delivery: DeliveryId;
  /** True if no round of this delivery was recorded before. */
  readonly isFirst: boolean;
  readonly isSuccess: boolean;
}

export const FULL_HEALTH: LaneHealth = { failing: 0, inARow: 0, succeededAt: undefined, lastRetried: undefined };

/** A share below this counts as 0, so that the health of a healthy lane stays the same object after each success. */
const NEGLIGIBLE = 1 / 1_024;

/** True if a round counts for the health of its lane. */
export function isCounted(
  { succeededAt, lastRetried }: LaneHealth,
  { delivery, isFirst }: HealthSample,
  now: MonoMs,
): boolean {
  if (isFirst) return true;
  const hasRecentSuccess = succeededAt !== undefined && now - succeededAt <= RETRIES_IGNORED_MS;
  return !hasRecentSuccess && delivery !== lastRetried;
}

/** The health of a lane after a round that counts; the same object if nothing changes. */
export function updateHealth(
  health: LaneHealth,
  { delivery, isFirst, isSuccess }: HealthSample,
  now: MonoMs,
): LaneHealth {
  const failing = average(health.failing, isSuccess);
  const inARow = isSuccess ? 0 : health.inARow + 1;
  const succeededAt = isFirst && isSuccess ? noteSuccess(health.succeededAt, now) : health.succeededAt;
  const lastRetried = isFirst ? health.lastRetried : delivery;
  const isSame =
    failing === health.failing &&
    inARow === health.inARow &&
    succeededAt === health.succeededAt &&
    lastRetried === health.lastRetried;
  return isSame ? health : { failing, inARow, succeededAt, lastRetried };
}

function average(failing: number, isSuccess: boolean): number {
  if (!isSuccess) return failing + (1 - failing) / HEALTH_ROUNDS;
  const share = failing - failing / HEALTH_ROUNDS;
  return share < NEGLIGIBLE ? 0 : share;
}

/**
 * True if a process with a part of a lane has seen its part of the failures in a row that bring the whole lane to the bound, as the others
 * then have; at least `minInARow`, which hardly come by chance. False with the whole lane (`share` 1), which the average judges.
 */
export function failsInARow({ inARow }: LaneHealth, { failing, minInARow }: FailureBound, share: number): boolean {
  return share < 1 && inARow >= Math.max(minInARow, failuresTo(failing) * share);
}

/** A bound of the share of failures, and the fewest failures in a row for which one of several processes acts. */
export interface FailureBound {
  readonly failing: number;
  readonly minInARow: number;
}

/** The number of failures in a row that reach a share of failures. */
function failuresTo(share: number): number {
  return Math.log(1 - share) / Math.log(1 - 1 / HEALTH_ROUNDS);
}

/** The new `succeededAt`. It changes only at intervals, so that a healthy lane does not need a new object after each success. */
function noteSuccess(succeededAt: MonoMs | undefined, now: MonoMs): MonoMs {
  return succeededAt !== undefined && now - succeededAt < RETRIES_IGNORED_MS / 4 ? succeededAt : now;
}

/**
 * The evidence about the receiver at the end of a claim. `refused`: it has answered, and does not want this message · `refusing`: it
 * refuses whatever it gets · `local`: all attempts had local faults, so that no request reached it · `blocked`: our own address policy
 * refuses every endpoint · `none`: nothing, since there was no round.
 */
export type RoundSignal = "success" | "failure" | "refused" | "refusing" | "local" | "blocked" | "none";
