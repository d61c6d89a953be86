// Decides the lasting troubles of a lane that operators hear of: its receiver fails, only probes are sent, or deliveries are about to be
// lost (decision: notifications).

import type { LaneFailure } from "../explain/lane-status.js";
import type { EpochMs } from "../ids.js";
import type { Pace } from "../lanes/pace.js";
import { NOTIFY_FAILURE_SHARE, NOTIFY_WINDOW_DIVISOR } from "../limits.js";
import type { RetryPolicy } from "../retry/retry-policy.js";
import { windowEnd } from "../retry/schedule.js";

/** Trouble that lasts at a lane. */
export type LaneTrouble = "lane-failing" | "lane-held" | "window-at-risk";

/** The state of a lane that decides about its troubles. */
export interface WatchedLane {
  readonly pace: Pick<Pace, "health" | "backoff">;
  /** True if its receiver has taken a message since this process began. */
  readonly hasTaken: boolean;
  /** The last round without success; undefined if one has succeeded since. */
  readonly lastFailure: Pick<LaneFailure, "isRefusal"> | undefined;
  /** Deliveries that have died since this process began: operators hear of these separately. */
  readonly deaths: number;
  readonly deliveries: number;
  /** The first attempt whose retry window has not ended. */
  readonly firstAttemptAt: EpochMs | undefined;
}

/** Returns the lasting troubles of a lane. A lane that is held is not said to be failing as well. */
export function laneTroubles(lane: WatchedLane, policy: RetryPolicy, now: EpochMs): readonly LaneTrouble[] {
  const { backoff } = lane.pace;
  return [
    ...(backoff === undefined ? [] : (["lane-held"] as const)),
    ...(backoff === undefined && isFailing(lane) ? (["lane-failing"] as const) : []),
    ...(isAtRisk(lane, policy, now) ? (["window-at-risk"] as const) : []),
  ];
}

/** Many first attempts fail; or the first message was refused, as with a wrong path or secret. */
function isFailing({ pace, hasTaken, lastFailure, deaths }: WatchedLane): boolean {
  if (pace.health.failing >= NOTIFY_FAILURE_SHARE) return true;
  return lastFailure?.isRefusal === true && !hasTaken && deaths === 0;
}

function isAtRisk({ deliveries, firstAttemptAt }: WatchedLane, policy: RetryPolicy, now: EpochMs): boolean {
  if (deliveries === 0 || firstAttemptAt === undefined) return false;
  return windowEnd(policy, firstAttemptAt) - now < policy.retryWindowMs / NOTIFY_WINDOW_DIVISOR;
}
