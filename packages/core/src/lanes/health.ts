// Keeps the health of a lane: the share of failures among its first attempts, as a moving average (decision: lane health).
// Retries may fail because of their message rather than their receiver: they count only if no first attempt has succeeded for
// a while, and never twice in a row for the same delivery. Must not know what the share leads to.

import type { DeliveryId, MonoMs } from "../ids.js";
import { HEALTH_ROUNDS, MIN_HEALTH_ROUNDS, RETRIES_IGNORED_MS } from "../limits.js";

/** The health of a lane. */
export interface LaneHealth {
  /** The share of failures, from 0 (all succeed) towards 1 (all fail). */
  readonly failing: number;
  /** When a first attempt last succeeded, or up to a quarter of `RETRIES_IGNORED_MS` earlier; undefined if none did. */
  readonly freshAt: MonoMs | undefined;
  /** The delivery whose retry counted last. */
  readonly retried: DeliveryId | undefined;
}

/** A round that succeeded or failed, as a sample for the average. */
export interface HealthSample {
  readonly delivery: DeliveryId;
  /** Whether no round of this delivery was recorded before. */
  readonly isFirst: boolean;
  readonly isSuccess: boolean;
  /** The part of the lane's rounds that end in this process; 1 if no other one delivers. */
  readonly share: number;
}

export const FULL_HEALTH: LaneHealth = { failing: 0, freshAt: undefined, retried: undefined };

/** A share below this counts as 0, so that the health of a healthy lane stays the same object after each success. */
const NEGLIGIBLE = 1 / 1_024;

/** Whether a round counts for the health of its lane. */
export function isCounted({ freshAt, retried }: LaneHealth, { delivery, isFirst }: HealthSample, now: MonoMs): boolean {
  if (isFirst) return true;
  const isFresh = freshAt !== undefined && now - freshAt <= RETRIES_IGNORED_MS;
  return !isFresh && delivery !== retried;
}

/** The health of a lane after a round that counts; the same object if nothing changes. */
export function updateHealth(
  health: LaneHealth,
  { delivery, isFirst, isSuccess, share }: HealthSample,
  now: MonoMs,
): LaneHealth {
  const failing = average(health.failing, isSuccess, roundsOf(share));
  const freshAt = isFirst && isSuccess ? refreshed(health.freshAt, now) : health.freshAt;
  const retried = isFirst ? health.retried : delivery;
  const isSame = failing === health.failing && freshAt === health.freshAt && retried === health.retried;
  return isSame ? health : { failing, freshAt, retried };
}

/** How many rounds the average spans: of a lane that several processes deliver, its part, since the others see as much. */
function roundsOf(share: number): number {
  return Math.max(MIN_HEALTH_ROUNDS, HEALTH_ROUNDS * share);
}

function average(failing: number, isSuccess: boolean, rounds: number): number {
  if (!isSuccess) return failing + (1 - failing) / rounds;
  const less = failing - failing / rounds;
  return less < NEGLIGIBLE ? 0 : less;
}

/** The new `freshAt`. It changes only at intervals, so that a healthy lane does not need a new object after each success. */
function refreshed(freshAt: MonoMs | undefined, now: MonoMs): MonoMs {
  return freshAt !== undefined && now - freshAt < RETRIES_IGNORED_MS / 4 ? freshAt : now;
}
