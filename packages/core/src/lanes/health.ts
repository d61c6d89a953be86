// How a lane fares: the share of failures among its first attempts, a moving average in which older ones count less and less
// (decision: pace). Retries fail because of their message as often as because of their receiver, so they count only where no
// first attempt has succeeded for a while, and never two of the same delivery in a row. Plain data; of constant size.

import type { DeliveryId, MonoMs } from "../ids.js";
import { FRESH_MS, HEALTH_ROUNDS } from "../limits.js";

export interface Health {
  /** The share of failures: 0 where all succeed, towards 1 where none does. */
  readonly failing: number;
  /** When a first attempt succeeded last, a quarter of `FRESH_MS` too early at most; undefined if none has. */
  readonly freshAt: MonoMs | undefined;
  /** Whose retry counted last. */
  readonly retried: DeliveryId | undefined;
}

/** A round that succeeded or failed. */
export interface Finding {
  readonly delivery: DeliveryId;
  /** Whether no round of this delivery was recorded before. */
  readonly isFirst: boolean;
  readonly isSuccess: boolean;
}

export const GOOD_HEALTH: Health = { failing: 0, freshAt: undefined, retried: undefined };

/** Below this a share of failures is none: a lane that is well again is then the same object after each success. */
const NEGLIGIBLE = 1 / 1_024;

/** Whether a round says something of the receiver. */
export function isTelling({ freshAt, retried }: Health, { delivery, isFirst }: Finding, now: MonoMs): boolean {
  if (isFirst) return true;
  const isFresh = freshAt !== undefined && now - freshAt <= FRESH_MS;
  return !isFresh && delivery !== retried;
}

/** The health of a lane after a round that is telling. */
export function afterFinding(health: Health, { delivery, isFirst, isSuccess }: Finding, now: MonoMs): Health {
  const failing = average(health.failing, isSuccess);
  const freshAt = isFirst && isSuccess ? refresh(health.freshAt, now) : health.freshAt;
  const retried = isFirst ? health.retried : delivery;
  const isSame = failing === health.failing && freshAt === health.freshAt && retried === health.retried;
  return isSame ? health : { failing, freshAt, retried };
}

function average(failing: number, isSuccess: boolean): number {
  if (!isSuccess) return failing + (1 - failing) / HEALTH_ROUNDS;
  const share = failing - failing / HEALTH_ROUNDS;
  return share < NEGLIGIBLE ? 0 : share;
}

/** Noted in steps, so that a lane that is well need not be noted anew with each success. */
function refresh(freshAt: MonoMs | undefined, now: MonoMs): MonoMs {
  return freshAt !== undefined && now - freshAt < FRESH_MS / 4 ? freshAt : now;
}
