// Drafts the next row of one lane on the board, with the news of this process, and the probe or the tokens that it takes. Core
// decides all of these; the store writes the row later, or refuses it.

import { plusMs, type BoardRow } from "@postrider/core";
import {
  BOARD_SLICE_MS,
  isNews,
  lacksProbe,
  lacksTokens,
  leasedLeft,
  nextRow,
  nextSliceAt,
  takeProbe,
  takeSlice,
  wantedSlots,
  type BoardMoment,
  type LaneView,
} from "@postrider/core/engine";
import type { Endpoints } from "../lanes/endpoints.js";
import type { Lane } from "../lanes/lane.js";
import { type LaneGrant, type SharedLanes } from "../lanes/shared-lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";

/** Needed to take a probe. */
interface ProbeContext {
  readonly shared: SharedLanes;
  readonly settings: Pick<SettingsInForce, "workspace">;
}

/** Needed to read the state of a lane. */
export interface ViewContext {
  readonly shared: SharedLanes;
  readonly endpoints: Pick<Endpoints, "holds" | "adopt">;
}

/** Needed to write the next row of a lane. */
export interface DraftContext extends ProbeContext, ViewContext {}

/** A row that is to be written, and the grant of the process once it is. */
export interface DraftRow {
  readonly lane: Lane;
  readonly row: BoardRow;
  readonly pace: LaneView["pace"];
  readonly grant: LaneGrant;
}

/** The next row; undefined if there is nothing to tell, and nothing to take now. */
export function draftRow(context: DraftContext, lane: Lane): DraftRow | undefined {
  const { shared, endpoints } = context;
  const moment = shared.moment();
  const view = shared.view(lane, endpoints.holds(lane.lane));
  const row = nextRow(lane.lane, view, moment);
  const draft: GrantedRow = { row, grant: {}, hasTaken: false };
  const result = shared.isAsking(lane) ? takeTokens(takeNextProbe(context, draft, lane), lane, moment) : draft;
  if (result.hasTaken || isNews(view, moment)) return { lane, pace: lane.pace, row: result.row, grant: result.grant };
  shared.grant(lane, result.grant);
  return undefined;
}

/** A row as it would be, and the grant that the process has of it. */
interface GrantedRow extends Pick<DraftRow, "row" | "grant"> {
  /** True if anything is taken; if not, `grant` only says when there may be. */
  readonly hasTaken: boolean;
}

function takeNextProbe({ shared, settings }: ProbeContext, draft: GrantedRow, lane: Lane): GrantedRow {
  const moment = shared.moment();
  if (!lacksProbe(lane, moment.monotonic)) return draft;
  const { timeoutMs } = settings.workspace().delivery;
  const row = takeProbe(draft.row, { timeoutMs, isHastened: lane.onBoard?.isHastened === true }, moment);
  if (row?.backoff === undefined) return draft;
  const probeUntil = plusMs(moment.monotonic, row.backoff.probeAt - moment.wall);
  return { row, grant: { ...draft.grant, probeUntil }, hasTaken: true };
}

function takeTokens(draft: GrantedRow, lane: Lane, { wall, monotonic }: BoardMoment): GrantedRow {
  const { rateLimit, onBoard } = lane;
  if (rateLimit === undefined || onBoard === undefined || !lacksTokens(lane, monotonic)) return draft;
  const { row, grant, hasTaken } = draft;
  const request = { share: onBoard.share, wanted: wantedSlots(lane) };
  const { tokens, taken } = takeSlice(rateLimit, row.tokens, request, wall);
  const leased = {
    left: leasedLeft(onBoard.leased, monotonic) + taken,
    until: plusMs(monotonic, BOARD_SLICE_MS),
    askAt: plusMs(monotonic, nextSliceAt(rateLimit, tokens, onBoard.share, wall) - wall),
  };
  return { row: { ...row, tokens }, grant: { ...grant, leased }, hasTaken: hasTaken || taken > 0 };
}
