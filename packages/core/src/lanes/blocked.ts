// Decides how a lane is blocked, when its next probe may go out, and when it opens (decision: blocked destinations). A lane is blocked
// while our own address policy refuses every endpoint of its destination.

import { type MonoMs, plusMs } from "../ids.js";
import { BLOCKED_RECHECK_MS } from "../limits.js";
import { type Backoff, initialPace, type Pace, probeNow } from "./pace.js";
import type { RoundSignal } from "./health.js";

/** The pace of a lane after a round that ended as `blocked`. A round that began before the block does not delay the next probe. */
export function blockLane(pace: Pace, now: MonoMs): Pace {
  const { backoff, spread } = pace;
  if (backoff?.reason !== "blocked") return backOff(initialPace(spread), 0, now);
  return now < backoff.probeAt ? pace : backOff(pace, backoff.probes + 1, now);
}

/** The pace of a blocked lane after any other round. A probe that reached its receiver opens the lane. */
export function afterBlockedRound(
  pace: Pace,
  backoff: Backoff,
  signal: Exclude<RoundSignal, "blocked">,
  now: MonoMs,
): Pace {
  // The round began before the lane was blocked.
  if (now < backoff.probeAt) return pace;
  switch (signal) {
    case "success":
    case "failure":
    case "refused":
    case "refusing":
      return initialPace(pace.spread);
    case "local":
      return backOff(pace, backoff.probes, now);
    case "none":
      return pace;
  }
}

/** The pace of a lane after a change of the settings: if it is blocked, its next probe may go out at once. */
export function recheckBlocked(pace: Pace, now: MonoMs): Pace {
  return pace.backoff?.reason === "blocked" ? probeNow(pace, now) : pace;
}

/** No delivery is sent before the next probe, not even a new one. */
function backOff(pace: Pace, probes: number, now: MonoMs): Pace {
  const probeAt = plusMs(now, BLOCKED_RECHECK_MS * (1 + pace.spread / 4));
  return { ...pace, backoff: { reason: "blocked", probes, probeAt, freshAt: probeAt } };
}
