// What a relay knows of a lane, as it is shown: whether it sends, what waits, and what it waits for. Data only.

import type { Detail } from "../delivery/delivery.js";
import type { DestinationId, EndpointId, EpochMs } from "../ids.js";

/**
 * Whether a lane sends. `open`: yes · `held`: the receiver fails, so that only probes are sent · `refusing`: as held, since the
 * receiver refuses whatever it gets · `blocked`: our own address policy refuses every endpoint · `paused`: the settings or an
 * operator have paused it · `off`: it is switched off in the settings · `gone`: the settings do not have it. If several hold, the
 * last of this list.
 */
export const LANE_MODES = ["open", "held", "refusing", "blocked", "paused", "off", "gone"] as const;
/** Whether a lane sends; see `LANE_MODES`. */
export type LaneMode = (typeof LANE_MODES)[number];

/** Who has paused a lane: the settings, or an operator by `pause`. */
export type PausedBy = "settings" | "operator";

/** The state of a lane at one moment. Counts of deliveries and bytes are those that this process knows. */
export interface LaneStatus {
  readonly lane: DestinationId;
  readonly mode: LaneMode;
  /** Empty if it is not paused. It sends only if neither has paused it. */
  readonly pausedBy: readonly PausedBy[];
  /** Present while only probes are sent. */
  readonly backoff?: LaneBackoff;
  /** The last round without success. Absent if one has succeeded since, or if this process knows of none. */
  readonly lastFailure?: LaneFailure;
  /** How many of its deliveries have died since this process began, other than by a purge. */
  readonly deaths: number;
  /** Unfinished deliveries, those in flight included, and the bytes of their bodies. */
  readonly deliveries: number;
  readonly bytes: number;
  /** When the delivery that is due first can be claimed. Absent if none is known. */
  readonly nextDueAt?: EpochMs;
  /**
   * When the first retry window of its unfinished deliveries ends. Absent if none of them was tried. As the store said at the
   * last poll of this process: 1 second ago, by default.
   */
  readonly windowEndsAt?: EpochMs;
  /** How many of its deliveries this process has claimed, and how many it may claim. */
  readonly inFlight: number;
  readonly limit: number;
  /** Present if the settings limit its rate. */
  readonly rate?: LaneRate;
  /** The endpoints that asked by Retry-After for a pause which has not ended, as far as this process knows. */
  readonly endpointHolds: readonly EndpointHold[];
}

/** Why only probes are sent, and when the next may be. */
export interface LaneBackoff {
  readonly kind: "held" | "refusing" | "blocked";
  /** Since when, as far as this process knows. */
  readonly since?: EpochMs;
  /** How the last round ended, unless it is blocked. */
  readonly detail?: Detail;
  /** How many probes have failed. */
  readonly probes: number;
  readonly nextProbeAt: EpochMs;
}

/** How a round ended without success. */
export interface LaneFailure {
  readonly detail: Detail;
  readonly at: EpochMs;
  /** Whether the receiver has refused, and not failed. */
  readonly isRefusal: boolean;
}

/** The rate limit of a lane, and what is left of it. */
export interface LaneRate {
  readonly perSecond: number;
  readonly burst: number;
  /** How many deliveries may start at once. */
  readonly left: number;
  /** When the next may start. Not later than now if `left` is at least 1. */
  readonly nextAt: EpochMs;
}

/** An endpoint that gets no attempt until an instant. */
export interface EndpointHold {
  readonly endpoint: EndpointId;
  readonly until: EpochMs;
}
