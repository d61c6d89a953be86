// A receiver that fails and fails, and the starts of all rounds that a policy gives it: the instrument with which a
// policy is tested before an outage does it. Plays core's own schedule, so it cannot disagree with delivery.

import { type Draws, type EpochMs, epochMs, type RetryPolicy, scheduleRetry } from "@postrider/core";
import fc, { type Arbitrary } from "fast-check";

/** One failed round, as plain data: how long it took, what chance drew after it, what the receiver asked for. */
export interface FailedRound {
  readonly tookMs: number;
  readonly draws: Draws;
  /** For how long the receiver asked, by Retry-After, to be left alone. */
  readonly heldMs?: number;
}

/** The rounds of an outage, in order. An outage that outlasts them begins again with the first. */
export type Outage = readonly [FailedRound, ...FailedRound[]];

export interface OutageOptions {
  /** The longest that a round takes: your `timeoutMs`. 5,000 by default. */
  readonly timeoutMs?: number;
  /** Whether receivers may send Retry-After, of up to this many milliseconds. 0, never, by default. */
  readonly maxHoldMs?: number;
}

/** A policy that is played stops here, however much room the window leaves. */
export const MAX_PLAYED_ROUNDS = 10_000;

/** Outages of every course. */
export function outages({ timeoutMs = 5_000, maxHoldMs = 0 }: OutageOptions = {}): Arbitrary<Outage> {
  const round = fc.record(
    {
      tookMs: fc.integer({ min: 0, max: timeoutMs }),
      draws: draws(),
      ...(maxHoldMs === 0 ? {} : { heldMs: fc.integer({ min: 1, max: maxHoldMs }) }),
    },
    { requiredKeys: ["tookMs", "draws"] },
  );
  return fc.tuple(round, fc.array(round, { maxLength: 30 })).map(([first, more]) => [first, ...more]);
}

/** What chance gives one call of `scheduleRetry`. */
export function draws(): Arbitrary<Draws> {
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  return fc.record({ delay: unit, slot: unit });
}

/**
 * Plays a policy against an outage without end. Answers when each round starts, in milliseconds after the first; the
 * first is 0, and after the last the delivery is dead. At most 10,000 rounds.
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
