// The status of a lane in a relay, as it is shown: its mode, its backlog, and the reason if it does not send. Data only.

import type { Detail } from "../delivery/delivery.js";
import type { DestinationId, EndpointId, EpochMs } from "../ids.js";

/**
 * The mode of a lane. `open`: it sends · `held`: the receiver fails, so that only probes are sent · `refusing`: as held, since the receiver
 * refuses whatever it gets · `blocked`: our own address policy refuses every endpoint · `paused`: the settings or an operator have paused
 * it · `off`: it is switched off in the settings · `gone`: the settings do not have it. If several apply, the last one in this list.
 */
export const LANE_MODES = ["open", "held", "refusing", "blocked", "paused", "off", "gone"] as const;
/** The mode of a lane; see `LANE_MODES`. */
export type LaneMode = (typeof LANE_MODES)[number];

/** The origin of a pause of a lane: the settings, or an operator by `pause`. */
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
  /** The number of its deliveries that have died since this process began, other than by a purge. */
  readonly deaths: number;
  /** Unfinished deliveries, those in flight included, and the bytes of their bodies. */
  readonly deliveries: number;
  readonly bytes: number;
  /** The instant at which its earliest due delivery can be claimed. Absent if none is known. */
  readonly nextDueAt?: EpochMs;
  /**
   * The end of the first retry window among its unfinished deliveries. Absent if none of them was tried. As the store reported it at the
   * last poll of this process: at most 1 second ago, by default.
   */
  readonly windowEndsAt?: EpochMs;
  /** The number of its deliveries that this process has claimed, and the number that it may claim. */
  readonly inFlight: number;
  readonly limit: number;
  /** Present if the settings limit its rate. */
  readonly rate?: LaneRate;
  /** The endpoints that asked by Retry-After for a pause which has not ended, as far as this process knows. */
  readonly endpointHolds: readonly EndpointHold[];
}

/** The reason for which only probes are sent, and the time of the next one. */
export interface LaneBackoff {
  readonly kind: "held" | "refusing" | "blocked";
  /** The beginning of the backoff, as far as this process knows. */
  readonly since?: EpochMs;
  /** The result of the last round, unless the lane is blocked. */
  readonly detail?: Detail;
  /** The number of probes that have failed. */
  readonly probes: number;
  readonly nextProbeAt: EpochMs;
}

/** The result of a round without success. */
export interface LaneFailure {
  readonly detail: Detail;
  readonly at: EpochMs;
  /** True if the receiver has refused, and not failed. */
  readonly isRefusal: boolean;
}

/** The rate limit of a lane, and its state. */
export interface LaneRate {
  readonly perSecond: number;
  readonly burst: number;
  /** The number of deliveries that may start at once. */
  readonly left: number;
  /** The instant at which the next may start. Not later than now if `left` is at least 1. */
  readonly nextAt: EpochMs;
}

/** An endpoint that gets no attempt until an instant. */
export interface EndpointHold {
  readonly endpoint: EndpointId;
  readonly until: EpochMs;
}
