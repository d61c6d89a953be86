// Decides how the end of a round changes the pace of its lane (decision: lane health).

import { type DeliveryId, type MonoMs, plusMs } from "../ids.js";
import {
  BACKOFF_FAILURE_SHARE,
  BACKOFF_FAILURES_IN_A_ROW,
  MAX_LANE_IN_FLIGHT,
  MIN_LANE_IN_FLIGHT,
  SHRINK_FAILURE_SHARE,
  SHRINK_FAILURES_IN_A_ROW,
} from "../limits.js";
import { afterBlockedRound, blockLane } from "./blocked.js";
import {
  type FailureBound,
  FULL_HEALTH,
  type LaneHealth,
  type HealthSample,
  failsInARow,
  isCounted,
  updateHealth,
  type RoundSignal,
} from "./health.js";
import { type Backoff, type Pace, initialPace, probeDelayMs } from "./pace.js";

/** A round that has ended, with the values on which the pace of its lane depends. */
export interface EndedRound {
  readonly delivery: DeliveryId;
  /** True if no round of this delivery was recorded before. */
  readonly isFirst: boolean;
  readonly signal: RoundSignal;
  /** Deliveries of the lane in flight when the round ended, the delivery of the round included. */
  readonly inFlight: number;
  /** The part of the limit that may be in flight here, if other processes have the rest. */
  readonly share?: number | undefined;
}

/**
 * The pace of a lane after a round. A success raises the limit of deliveries in flight if at least half of it is in use. A
 * failure lowers the limit, but only if many of the latest first attempts have failed: an overloaded receiver keeps as many
 * slots as it can serve, and a receiver with a few errors keeps all of them. If nearly all fail, or the receiver refuses
 * whatever it gets, the lane goes into backoff until a probe succeeds. A blocked lane is in backoff until a probe reaches its receiver.
 */
export function afterRound(pace: Pace, round: EndedRound, now: MonoMs): Pace {
  if (round.signal === "blocked") return blockLane(pace, now);
  if (pace.backoff?.reason === "blocked") {
    const unblocked = afterBlockedRound(pace, pace.backoff, round.signal, now);
    return unblocked.backoff === undefined ? afterRound(unblocked, round, now) : unblocked;
  }
  if (pace.backoff !== undefined) return whileInBackoff(pace, pace.backoff, round, now);
  switch (round.signal) {
    case "success":
    case "failure":
      return adjust(pace, round, now);
    case "local":
      // The receiver is not the cause, but this process may have too many deliveries in flight.
      return shrink(pace);
    case "refusing":
      return backOff(pace, { reason: "refusing", probes: 0 }, now);
    case "refused":
    case "none":
      return pace;
  }
}

/** The pace of a lane in backoff after a round. Any round that succeeds ends the backoff: the receiver is available. */
function whileInBackoff(pace: Pace, backoff: Backoff, round: EndedRound, now: MonoMs): Pace {
  const { signal, inFlight } = round;
  if (signal === "success") {
    return { ...initialPace(pace.spread, 1), health: updateHealth(FULL_HEALTH, sampleOf(round), now) };
  }
  // Only a probe counts here: the only delivery in flight, if its signal says something.
  if (now < backoff.freshAt || inFlight > 1 || signal === "none" || signal === "refused") return pace;
  if (signal === "local") return backOff(pace, backoff, now);
  return backOff(pace, { reason: signal === "failure" ? "failing" : "refusing", probes: backoff.probes + 1 }, now);
}

function backOff(pace: Pace, { reason, probes }: Pick<Backoff, "reason" | "probes">, now: MonoMs): Pace {
  const delayMs = probeDelayMs(reason, probes);
  const probeAt = plusMs(now, delayMs * (1 + pace.spread / 4));
  return { ...pace, backoff: { reason, probes, probeAt, freshAt: plusMs(now, delayMs / 2) } };
}

function adjust(pace: Pace, round: EndedRound, now: MonoMs): Pace {
  const sample = sampleOf(round);
  const doesCount = isCounted(pace.health, sample, now);
  const health = doesCount ? updateHealth(pace.health, sample, now) : pace.health;
  if (sample.isSuccess) return grow(pace, health, round);
  if (!doesCount) return pace;
  const { share = 1 } = round;
  const isDown = health.failing >= BACKOFF.failing || failsInARow(health, BACKOFF, share);
  if (isDown) return backOff({ ...pace, health }, { reason: "failing", probes: 0 }, now);
  const isOverrun = health.failing > SHRINK.failing || failsInARow(health, SHRINK, share);
  return isOverrun ? shrink({ ...pace, health }) : { ...pace, health };
}

const BACKOFF: FailureBound = { failing: BACKOFF_FAILURE_SHARE, minInARow: BACKOFF_FAILURES_IN_A_ROW };
const SHRINK: FailureBound = { failing: SHRINK_FAILURE_SHARE, minInARow: SHRINK_FAILURES_IN_A_ROW };

function sampleOf({ delivery, isFirst, signal }: EndedRound): HealthSample {
  return { delivery, isFirst, isSuccess: signal === "success" };
}

/** As with congestion windows, the limit grows only while at least half of it is in use. */
function grow(pace: Pace, health: LaneHealth, { inFlight, share = 1 }: EndedRound): Pace {
  const { limit, isRamping, successes } = pace;
  const mayGrow = limit < MAX_LANE_IN_FLIGHT && inFlight * 2 >= limit * share && health.failing <= SHRINK_FAILURE_SHARE;
  if (!mayGrow) return health === pace.health ? pace : { ...pace, health };
  if (isRamping || successes + 1 >= limit) return { ...pace, health, limit: limit + 1, successes: 0 };
  return { ...pace, health, successes: successes + 1 };
}

/** Takes one slot from a lane that has more than `MIN_LANE_IN_FLIGHT` slots. */
function shrink(pace: Pace): Pace {
  const least = Math.min(pace.limit, MIN_LANE_IN_FLIGHT);
  return { ...pace, limit: Math.max(least, pace.limit - 1), isRamping: false, successes: 0 };
}
