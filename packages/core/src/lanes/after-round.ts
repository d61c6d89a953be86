// Decides what the end of a round means for its lane (decision: lanes): a success lets more deliveries be under way where it
// is the limit that binds, a failure halves their number, once for all rounds that were out together; and a lane whose
// rounds have failed for long is held until a probe succeeds. Knows nothing of schedules: what becomes of the delivery is
// settled by then.

import type { DeliveryId, MonoMs } from "../ids.js";
import { HOLD_AFTER_ROUNDS, MAX_LANE_IN_FLIGHT, MIN_LANE_IN_FLIGHT, PROBE_FIRST_MS, PROBE_MAX_MS } from "../limits.js";
import type { Outcome } from "../ports/changes.js";
import { type Hold, NO_STREAK, type Pace, startPace, type Streak } from "./pace.js";

/** `local`: nothing but faults of our own, the receiver was never asked. `none`: there was no round. */
export type RoundSignal = "success" | "failure" | "local" | "none";

export interface RoundSeen {
  readonly delivery: DeliveryId;
  readonly signal: RoundSignal;
  /** Deliveries of the lane under way as it ended, this one included. */
  readonly inFlight: number;
}

/**
 * What a settlement says of its lane. Whoever refuses a delivery for good has been reached, and has neither too much nor
 * too little to do; without a detail a death was not the end of a round.
 */
export function signalOf(outcome: Outcome): RoundSignal {
  switch (outcome.kind) {
    case "delivered":
      return "success";
    case "rescheduled":
      return "failure";
    case "dead":
      return outcome.detail !== undefined && outcome.reason === "expired" ? "failure" : "none";
    case "released":
      return "none";
  }
}

/** The pace of a lane after a round. */
export function afterRound(pace: Pace, round: RoundSeen, now: MonoMs): Pace {
  if (pace.hold !== undefined) return whileHeld(pace, pace.hold, round, now);
  switch (round.signal) {
    case "success":
      return grow(endStreak(pace), round.inFlight);
    case "failure":
      return fail(pace, round, now);
    case "local":
      // Too many at once for ourselves, perhaps: fewer are a remedy, and the receiver is not to blame.
      return halve(pace, round.inFlight);
    case "none":
      return pace;
  }
}

/** Whichever round it was that succeeded: somebody is there. */
function whileHeld(pace: Pace, hold: Hold, { signal, inFlight }: RoundSeen, now: MonoMs): Pace {
  if (signal === "success") return startPace(pace.spread, 1);
  // Rounds that were out when the lane was held are not probes: those are alone. And where nobody was asked there was none.
  if (now < hold.probeAt || inFlight > 1 || signal === "none") return pace;
  return held(pace, signal === "failure" ? hold.probes + 1 : hold.probes, now);
}

function held(pace: Pace, probes: number, now: MonoMs): Pace {
  const delayMs = Math.min(PROBE_MAX_MS, PROBE_FIRST_MS * 2 ** probes);
  const probeAt = (now + delayMs * (1 + pace.spread / 4)) as MonoMs;
  return { ...pace, streak: NO_STREAK, hold: { probes, probeAt } };
}

/** As with congestion windows, a limit of which half is not used is no limit. */
function grow(pace: Pace, inFlight: number): Pace {
  const { limit, stragglers, isSteep, successes } = pace;
  if (stragglers > 0) return { ...pace, stragglers: stragglers - 1 };
  if (limit >= MAX_LANE_IN_FLIGHT || inFlight * 2 < limit) return pace;
  if (isSteep || successes + 1 >= limit) return { ...pace, limit: limit + 1, successes: 0 };
  return { ...pace, successes: successes + 1 };
}

function fail(pace: Pace, { delivery, inFlight }: RoundSeen, now: MonoMs): Pace {
  const streak = growStreak(pace.streak, delivery);
  if (streak.rounds >= HOLD_AFTER_ROUNDS && streak.isShared) return held(pace, 0, now);
  return { ...halve(pace, inFlight), streak };
}

function halve(pace: Pace, inFlight: number): Pace {
  if (pace.stragglers > 0) return { ...pace, stragglers: pace.stragglers - 1 };
  const least = Math.min(pace.limit, MIN_LANE_IN_FLIGHT);
  const limit = Math.max(least, Math.floor(pace.limit / 2));
  return { ...pace, limit, isSteep: false, successes: 0, stragglers: inFlight - 1 };
}

function growStreak({ rounds, first, isShared }: Streak, delivery: DeliveryId): Streak {
  return {
    rounds: rounds + 1,
    first: first ?? delivery,
    isShared: isShared || (first !== undefined && first !== delivery),
  };
}

function endStreak(pace: Pace): Pace {
  return pace.streak.rounds === 0 ? pace : { ...pace, streak: NO_STREAK };
}
