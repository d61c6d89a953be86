// Outages, in which every round fails, and the starts of the rounds that a policy plans in an outage. Uses core's
// schedule, so that the result cannot differ from a real delivery.

import { type Draws, type EpochMs, epochMs, type RetryPolicy, scheduleRetry } from "@postrider/core";
import fc, { type Arbitrary } from "fast-check";

/**
 * One failed round, as plain data: its duration, the random numbers drawn after it, the Retry-After of the receiver.
 */
export interface FailedRound {
  readonly tookMs: number;
  readonly draws: Draws;
  /** How long the receiver's Retry-After asks to wait; absent if there is none. */
  readonly heldMs?: number;
}

/** The rounds of an outage, in order. After the last one, the first is played again. */
export type Outage = readonly [FailedRound, ...FailedRound[]];

/** The options of the arbitrary of outages. Times are in milliseconds. */
export interface OutageOptions {
  /** The longest duration of a round: the `timeoutMs` of the policy. 5,000 if absent. */
  readonly timeoutMs?: number;
  /** The longest Retry-After that receivers send; 0, the default, if they send none. */
  readonly maxHoldMs?: number;
}

/** The most rounds that are played, even if the window leaves room for more. */
export const MAX_PLAYED_ROUNDS = 10_000;

/** Outages of any length and kind. */
export function outages({ timeoutMs = 5_000, maxHoldMs = 0 }: OutageOptions = {}): Arbitrary<Outage> {
  const round = fc.record(
    {
      tookMs: fc.integer({ min: 0, max: timeoutMs }),
      draws: retryDraws(),
      ...(maxHoldMs === 0 ? {} : { heldMs: fc.integer({ min: 1, max: maxHoldMs }) }),
    },
    { requiredKeys: ["tookMs", "draws"] },
  );
  return fc.tuple(round, fc.array(round, { maxLength: 30 })).map(([first, more]) => [first, ...more]);
}

/** The random numbers of one call of `scheduleRetry`. */
export function retryDraws(): Arbitrary<Draws> {
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  return fc.record({ delay: unit, slot: unit });
}

/**
 * Plays a policy against an endless outage. Returns when each round starts, in milliseconds from the start of the first
 * round, so the first number is 0. After the last round the delivery is dead, or 10,000 rounds were played.
 *
 * @example
 * fc.assert(fc.property(outages(), (outage) => {
 *   const starts = playOutage(myPolicy, outage);
 *   // A receiver that is down for an hour still gets its message.
 *   return starts.some((startMs) => startMs >= 3_600_000);
 * }));
 */
export function playOutage(policy: RetryPolicy, outage: Outage): readonly number[] {
  const starts = [0];
  let roundStartedAt = epoch(0);
  while (starts.length < MAX_PLAYED_ROUNDS) {
    const failed = outage[(starts.length - 1) % outage.length] ?? outage[0];
    const now = epoch(roundStartedAt + failed.tookMs);
    const held = failed.heldMs === undefined ? {} : { heldUntil: epoch(now + failed.heldMs) };
    const past = { rounds: starts.length, firstAttemptAt: epoch(0), roundStartedAt, ...held };
    const next = scheduleRetry(policy, past, failed.draws, now);
    if (next.kind === "expired") return starts;
    roundStartedAt = next.dueAt;
    starts.push(roundStartedAt);
  }
  return starts;
}

function epoch(ms: number): EpochMs {
  return epochMs(ms);
}
