// The part of a delivery store that keeps the pauses that operators have set. They outlive the process, and a change of the
// settings, which have pauses too.

import type { DestinationId, EpochMs } from "../ids.js";

/**
 * The lanes that an operator has paused. A store only keeps them: what it claims, ends and counts does not depend on them. The
 * relay reads them and claims nothing of these lanes.
 */
export interface PauseStore {
  /** One durable commit: keeps that the lane is paused since `now`. Changes nothing if it is paused already. */
  add(lane: DestinationId, now: EpochMs): Promise<void>;
  /** One durable commit: the lane is not paused any more. Changes nothing if it is not paused. */
  remove(lane: DestinationId): Promise<void>;
  /**
   * Up to `limit` paused lanes that follow the lane `after`, in an order that the store chooses and never changes. `after` may
   * be a lane that is not paused. Fewer than `limit`: no others follow.
   */
  list(query: { readonly after?: DestinationId; readonly limit: number }): Promise<readonly LanePause[]>;
}

/** A pause that an operator has set. */
export interface LanePause {
  readonly lane: DestinationId;
  readonly pausedAt: EpochMs;
}
