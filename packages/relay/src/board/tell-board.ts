// Writes what this process has to tell and to take, as far as no other process was quicker: then it learns what that one has
// written, and tries again. Does not decide what a row has.

import type { BoardRow } from "@postrider/core";
import { confirmBoard, mergeBoard } from "@postrider/core/engine";
import { BOARD_ROWS_PER_WRITE, MAX_BOARD_RACES } from "../limits.js";
import type { Lane } from "../lanes/lane.js";
import type { DraftContext, LearnContext, TellContext, ViewContext, WriteContext } from "./context.js";
import { draftRow, type DraftRow } from "./draft-row.js";

/** Tells and takes all that there is. Returns whether it did: what is left waits for the next turn. */
export async function tellBoard(context: TellContext): Promise<boolean> {
  for (let race = 0; race < MAX_BOARD_RACES; race += 1) {
    const drafts = draftRows(context);
    if (drafts.length === 0) return true;
    const isWritten = await writeDrafts(context, drafts);
    if (!isWritten) return false;
  }
  return false;
}

function draftRows(context: DraftContext): readonly DraftRow[] {
  const drafts: DraftRow[] = [];
  for (const lane of context.shared.pending()) {
    if (drafts.length >= BOARD_ROWS_PER_WRITE) return drafts;
    const draft = draftRow(context, lane);
    if (draft === undefined) context.shared.settle(lane);
    else drafts.push(draft);
  }
  return drafts;
}

async function writeDrafts(context: WriteContext, drafts: readonly DraftRow[]): Promise<boolean> {
  const written = await context.askBoard((board) => board.write(drafts.map(({ row }) => row)));
  if (written.isErr()) return false;
  const quicker = new Map(written.value.map((row) => [row.lane, row]));
  for (const draft of drafts) {
    const row = quicker.get(draft.row.lane);
    if (row === undefined) confirm(context, draft);
    else learnRow(context, row);
  }
  context.wake();
  return true;
}

function confirm({ shared, endpoints }: ViewContext, { lane, row, pace, grant }: DraftRow): void {
  const view = shared.view(lane, endpoints.holds(lane.lane));
  shared.apply(lane, confirmBoard(view, { row, pace }, shared.moment()));
  shared.grant(lane, grant);
}

/** Takes over what another process has written of a lane. */
export function learnRow({ shared, endpoints, emit }: LearnContext, row: BoardRow): void {
  const lane: Lane = shared.lane(row.lane);
  const known = mergeBoard(shared.view(lane, endpoints.holds(row.lane)), row, shared.moment());
  endpoints.adopt(row.lane, known.holds);
  const change = shared.apply(lane, known);
  if (change !== undefined) emit({ kind: `lane-${change}`, destination: row.lane });
}
