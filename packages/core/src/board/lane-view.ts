// The facts about a lane that processes share, as one of them knows them, and the row of the board behind them. Data, and the conversion
// from instants of the store's clock to the monotonic clock.

import { type EndpointId, type EpochMs, epochMs, type MonoMs, monoMs, type ProcessId } from "../ids.js";
import type { Backoff, BackoffReason, Pace } from "../lanes/pace.js";
import { FIRST_LANE_IN_FLIGHT } from "../limits.js";
import type { BoardBackoff, BoardRow } from "../ports/lane-board.js";

/** The state of a lane as one process knows it. */
export interface LaneView {
  readonly pace: Pace;
  /** The ends of the holds for which endpoints have asked, by the store's clock. */
  readonly holds: ReadonlyMap<EndpointId, EpochMs>;
  /** The row that was merged or written last; undefined if the board has none. */
  readonly row: BoardRow | undefined;
  /** True if the backoff has changed here since: it began, a probe failed, or the receiver has answered. */
  readonly isOwnBackoff: boolean;
}

/** The present moment by both clocks, and the process. */
export interface BoardMoment {
  readonly process: ProcessId;
  /** By the store's clock. */
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
}

/** The limit in a row. */
export function limitOfRow(row: BoardRow | undefined): number {
  return row?.limit ?? FIRST_LANE_IN_FLIGHT;
}

/**
 * The backoff of a row, for a process, with the reason that this one knows. Before the time of the probe, the end of a round counts
 * only in the process that has taken the probe.
 */
export function backoffOfRow(
  { probes, probeAt, prober }: BoardBackoff,
  reason: BackoffReason,
  now: BoardMoment,
): Backoff {
  const monotonicProbeAt = monoMs(now.monotonic + (probeAt - now.wall));
  const freshAt = prober === now.process ? now.monotonic : monotonicProbeAt;
  return { reason, probes, probeAt: monotonicProbeAt, freshAt };
}

/** The backoff of a process, for a row. */
export function backoffForRow({ probes, probeAt }: Backoff, now: BoardMoment): BoardBackoff {
  return { probes, probeAt: epochMs(Math.ceil(now.wall + (probeAt - now.monotonic))) };
}
