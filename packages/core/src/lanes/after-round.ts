// Decides what the end of a round means for its lane (decision: pace). A success lets more deliveries be under way where it
// is the limit that binds. A failure takes its place away, but only where many of the latest first attempts have failed: so
// a receiver that is overrun is left with as many as it answers, and one with a few errors loses nothing. Where nearly all
// fail, the lane is held until a probe succeeds. Knows nothing of schedules: what becomes of the delivery is settled by then.

import type { DeliveryId, MonoMs } from "../ids.js";
import {
  FALL_SHARE,
  HOLD_SHARE,
  MAX_LANE_IN_FLIGHT,
  MIN_LANE_IN_FLIGHT,
  PROBE_FIRST_MS,
  PROBE_MAX_MS,
} from "../limits.js";
import type { Outcome } from "../delivery/settlement.js";
import { afterFinding, type Finding, GOOD_HEALTH, type Health, isTelling } from "./health.js";
import { type Hold, type Pace, startPace } from "./pace.js";

/** `local`: nothing but faults of our own, the receiver was never asked. `none`: there was no round. */
export type RoundSignal = "success" | "failure" | "local" | "none";

export interface RoundSeen {
  readonly delivery: DeliveryId;
  /** Whether no round of this delivery was recorded before. */
  readonly isFirst: boolean;
  readonly signal: RoundSignal;
  /** Deliveries of the lane under way as it ended, this one included. */
  readonly inFlight: number;
}

/**
 * What a settlement says of its lane. A receiver that refuses a delivery for good has been reached, and has neither too
 * much nor too little to do; without a detail a death was not the end of a round.
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
    case "failure":
      return learn(pace, round, now);
    case "local":
      // Too many at once for ourselves, perhaps: fewer are a remedy, and the receiver is not to blame.
      return shrink(pace);
    case "none":
      return pace;
  }
}

/** Any round that succeeds opens the lane: the receiver is there. */
function whileHeld(pace: Pace, hold: Hold, round: RoundSeen, now: MonoMs): Pace {
  const { signal, inFlight } = round;
  if (signal === "success") {
    return { ...startPace(pace.spread, 1), health: afterFinding(GOOD_HEALTH, findingOf(round), now) };
  }
  // Rounds that were out when the lane was held are not probes: those are alone. Without a request there was no probe.
  if (now < hold.freshAt || inFlight > 1 || signal === "none") return pace;
  return held(pace, signal === "failure" ? hold.probes + 1 : hold.probes, now);
}

function held(pace: Pace, probes: number, now: MonoMs): Pace {
  const delayMs = Math.min(PROBE_MAX_MS, PROBE_FIRST_MS * 2 ** probes);
  const probeAt = (now + delayMs * (1 + pace.spread / 4)) as MonoMs;
  return { ...pace, hold: { probes, probeAt, freshAt: (now + delayMs / 2) as MonoMs } };
}

function learn(pace: Pace, round: RoundSeen, now: MonoMs): Pace {
  const finding = findingOf(round);
  const isNews = isTelling(pace.health, finding, now);
  const health = isNews ? afterFinding(pace.health, finding, now) : pace.health;
  if (finding.isSuccess) return grow(pace, health, round.inFlight);
  if (!isNews) return pace;
  if (health.failing >= HOLD_SHARE) return held({ ...pace, health }, 0, now);
  return health.failing > FALL_SHARE ? shrink({ ...pace, health }) : { ...pace, health };
}

function findingOf({ delivery, isFirst, signal }: RoundSeen): Finding {
  return { delivery, isFirst, isSuccess: signal === "success" };
}

/** As with congestion windows, a limit of which half is not used is no limit. */
function grow(pace: Pace, health: Health, inFlight: number): Pace {
  const { limit, isSteep, successes } = pace;
  const isBinding = limit < MAX_LANE_IN_FLIGHT && inFlight * 2 >= limit && health.failing <= FALL_SHARE;
  if (!isBinding) return health === pace.health ? pace : { ...pace, health };
  if (isSteep || successes + 1 >= limit) return { ...pace, health, limit: limit + 1, successes: 0 };
  return { ...pace, health, successes: successes + 1 };
}

/** The round that has failed takes its place with it. */
function shrink(pace: Pace): Pace {
  const least = Math.min(pace.limit, MIN_LANE_IN_FLIGHT);
  return { ...pace, limit: Math.max(least, pace.limit - 1), isSteep: false, successes: 0 };
}
