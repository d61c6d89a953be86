// What the ends of rounds mean for their lane, as an outsider can tell: how much of it may be under way at least, and whether
// a process may leave it alone but for probes. Said here once more, so that this does not err together with core.

import type { Outcome } from "@postrider/core";
import { type Known, type KnownLane, laneOf, type Ledger } from "./ledger.js";

/** After a failure a lane has room for so many, or for one if it may have been held since. */
const LEAST_ROOM = 4;
const HELD_AFTER = 20;

export function seeRoundEnd(ledger: Ledger, known: Known, outcome: Outcome): void {
  const process = known.token === undefined ? undefined : ledger.holders.get(known.token);
  if (process === undefined) return;
  const lane = laneOf(ledger, known.lane);
  if (outcome.kind === "delivered") seeSuccess(ledger, lane, process);
  else if (outcome.kind !== "released") seeFailure(lane, known, process);
}

/** Whether this process may leave the lane alone. */
export function mayBeHeld(lane: KnownLane, process: number): boolean {
  const row = lane.rows.get(process);
  return row !== undefined && row.rounds >= HELD_AFTER && row.isShared;
}

/** In bad times it is not certain that the process has heard of it. */
function seeSuccess({ clock, calmSince }: Ledger, lane: KnownLane, process: number): void {
  if (mayBeHeld(lane, process)) lane.fullAt = clock.monotonic();
  if (clock.monotonic() >= calmSince) lane.rows.delete(process);
}

function seeFailure(lane: KnownLane, { id }: Known, process: number): void {
  const row = lane.rows.get(process) ?? { rounds: 0, first: id, isShared: false };
  lane.rows.set(process, { ...row, rounds: row.rounds + 1, isShared: row.isShared || row.first !== id });
  lane.fullWith = Math.min(lane.fullWith, mayBeHeld(lane, process) ? 1 : LEAST_ROOM);
}
