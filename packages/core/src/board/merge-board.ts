// Merges the row of the board into the state of a lane in this process (decision: lane board). To merge a row twice changes nothing more
// than to merge it once, and no hold becomes shorter. A lane that is blocked is so for this process alone.

import type { EndpointId, EpochMs } from "../ids.js";
import { type Pace, initialPace } from "../lanes/pace.js";
import { MAX_LANE_IN_FLIGHT } from "../limits.js";
import type { BoardRow } from "../ports/lane-board.js";
import { backoffOfRow, type BoardMoment, type LaneView, limitOfRow } from "./lane-view.js";

/** Returns the view of a lane after the process has read its row. */
export function mergeBoard(view: LaneView, row: BoardRow, now: BoardMoment): LaneView {
  const isOwnBackoff = view.isOwnBackoff && !isOpenedElsewhere(view, row);
  return {
    pace: mergePace({ ...view, isOwnBackoff }, row, now),
    holds: mergeHolds(view.holds, row, now),
    row,
    isOwnBackoff,
  };
}

/** A row that was written, and the pace in it. */
interface AnnouncedRow {
  readonly row: BoardRow;
  readonly pace: Pace;
}

/** Returns the view of a lane after the row that the process announced is written. Later changes here are still to be announced. */
export function confirmBoard(view: LaneView, { row, pace: announced }: AnnouncedRow, now: BoardMoment): LaneView {
  const { pace, holds } = view;
  if (pace.backoff !== announced.backoff) return { ...view, row };
  const keepsPace = pace.backoff === undefined || pace.backoff.reason === "blocked" || row.backoff === undefined;
  const nextPace = keepsPace ? pace : { ...pace, backoff: backoffOfRow(row.backoff, pace.backoff.reason, now) };
  return { pace: nextPace, holds, row, isOwnBackoff: false };
}

/** True if another process has opened the lane since, although its backoff has gone on here. */
function isOpenedElsewhere({ pace, row: previousRow }: LaneView, row: BoardRow): boolean {
  return pace.backoff !== undefined && previousRow?.backoff !== undefined && row.backoff === undefined;
}

function mergePace({ pace, row: previousRow, isOwnBackoff }: LaneView, row: BoardRow, now: BoardMoment): Pace {
  const limit = clampLimit(limitOfRow(row) + pace.limit - limitOfRow(previousRow));
  if (isOwnBackoff || pace.backoff?.reason === "blocked") return { ...pace, limit };
  if (row.backoff !== undefined) {
    return { ...pace, limit, backoff: backoffOfRow(row.backoff, pace.backoff?.reason ?? "failing", now) };
  }
  // The receiver has answered another process: this one begins with the limit of the row.
  return pace.backoff === undefined ? { ...pace, limit } : initialPace(pace.spread, limitOfRow(row));
}

/** A limit that several processes have changed stays within its bounds. */
export function clampLimit(limit: number): number {
  return Math.max(1, Math.min(MAX_LANE_IN_FLIGHT, limit));
}

function mergeHolds(holds: LaneView["holds"], row: BoardRow, { wall }: BoardMoment): LaneView["holds"] {
  const merged = new Map<EndpointId, EpochMs>(holds);
  for (const { endpoint, until } of row.holds) {
    if (until > wall && until > (merged.get(endpoint) ?? 0)) merged.set(endpoint, until);
  }
  return merged;
}
