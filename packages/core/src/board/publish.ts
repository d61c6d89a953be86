// Decides the next row of a lane on the board, by which a process informs the others (decision: lane board). If another process was
// quicker, this one merges that row and decides again.

import type { EndpointId, EpochMs } from "../ids.js";
import { BOARD_HOLD_MS, BOARD_LIMIT_DIVISOR, MAX_BOARD_HOLDS } from "../limits.js";
import type { BoardBackoff, BoardHold, BoardRow } from "../ports/lane-board.js";
import { backoffForRow, type BoardMoment, type LaneView, limitOfRow } from "./lane-view.js";

/** True if the view has changes that the other processes must know. */
export function isNews(view: LaneView, { wall }: Pick<BoardMoment, "wall">): boolean {
  return view.isOwnBackoff || isMoved(view.pace.limit, view.row) || hasNewHold(view, wall);
}

/** The next row of a lane: the latest row with the changes of this process. */
export function nextRow(lane: BoardRow["lane"], view: LaneView, now: BoardMoment): BoardRow {
  const { pace, row, isOwnBackoff } = view;
  const { backoff: rowBackoff, ...openRow } = row ?? { lane, revision: 0, holds: [] };
  const backoff = isOwnBackoff ? ownBackoff(view, now) : rowBackoff;
  return {
    ...openRow,
    revision: openRow.revision + 1,
    limit: pace.limit,
    holds: holdsForRow(view, now.wall),
    ...(backoff === undefined ? {} : { backoff }),
  };
}

/** True if the other processes must know of a limit that is not that of the row. */
export function isMoved(limit: number, row: BoardRow | undefined): boolean {
  const rowLimit = limitOfRow(row);
  return Math.abs(limit - rowLimit) * BOARD_LIMIT_DIVISOR >= rowLimit;
}

function hasNewHold({ holds, row }: LaneView, wall: EpochMs): boolean {
  const rowHolds = new Map(row?.holds.map(({ endpoint, until }) => [endpoint, until]));
  return [...holds].some(
    ([endpoint, until]) => until - wall >= BOARD_HOLD_MS && until - (rowHolds.get(endpoint) ?? 0) >= BOARD_HOLD_MS,
  );
}

/** The backoff for the row. The probe in the row is not brought forward, unless this process has taken it. */
function ownBackoff({ pace, row }: LaneView, now: BoardMoment): BoardBackoff | undefined {
  if (pace.backoff === undefined || pace.backoff.reason === "blocked") return undefined;
  const local = backoffForRow(pace.backoff, now);
  const rowBackoff = row?.backoff;
  if (rowBackoff === undefined || rowBackoff.prober === now.process || rowBackoff.probeAt <= local.probeAt) {
    return { ...local, probes: Math.max(local.probes, rowBackoff?.probes ?? 0) };
  }
  return { ...rowBackoff, probes: Math.max(local.probes, rowBackoff.probes) };
}

/** The longest of the holds that still last, in the row or in this process. */
function holdsForRow({ holds, row }: LaneView, wall: EpochMs): readonly BoardHold[] {
  const longest = new Map<EndpointId, EpochMs>(row?.holds.map(({ endpoint, until }) => [endpoint, until]));
  for (const [endpoint, until] of holds) if (until > (longest.get(endpoint) ?? 0)) longest.set(endpoint, until);
  const lasting = [...longest].filter(([, until]) => until > wall).map(([endpoint, until]) => ({ endpoint, until }));
  return lasting.sort((a, b) => b.until - a.until).slice(0, MAX_BOARD_HOLDS);
}
