// Keeps a relay in step with the other processes of its store: reports that it lives, reads their lane states, and publishes its
// own (decision: lane board). A board that does not answer stops nothing: the last known states stay in force.

import {
  announce,
  BOARD_BEAT_MS,
  BOARD_LIVE_MS,
  type BoardShare,
  hearShares,
  isSettled,
  joinBoard,
  usableShare,
  confirmBoard,
  mergeBoard,
  isOnDuty,
} from "@postrider/core/engine";
import type { BoardRow, Clock, ProcessId } from "@postrider/core";
import { BOARD_ROWS_PER_PAGE, BOARD_UNSETTLED_MS, BOARD_ROWS_PER_WRITE, MAX_BOARD_RACES } from "../limits.js";
import { createLoop } from "../loop.js";
import { type SharedLanes } from "../lanes/shared-lanes.js";
import { type DraftContext, draftRow, type DraftRow, type ViewContext } from "./draft-row.js";
import type { AskBoard } from "../commits/storage.js";
import type { Lane } from "../lanes/lane.js";
import type { EmitEvent } from "../relay-event.js";

export interface BoardKeeper {
  /** Learns all that the others have told. Resolves with true if it has; nothing may be delivered before. */
  join(): Promise<boolean>;
  start(): void;
  /** Writes the remaining changes; the process then counts as gone. */
  stop(): Promise<void>;
}

/** Needed to take over the rows of other processes. */
interface LearnContext extends ViewContext {
  readonly emit: EmitEvent;
}

/** Needed to have rows written. */
interface WriteContext extends LearnContext {
  readonly askBoard: AskBoard;
  /** Wakes the dispatcher: a lane may send more than before. */
  readonly wake: () => void;
}

/** Needed to tell and to take all that there is. */
interface TellContext extends DraftContext, WriteContext {}

/** Needed to keep in step with the other processes. */
interface KeeperContext extends TellContext {
  readonly clock: Clock;
  readonly duty: Pick<Duty, "hear">;
}

interface BoardContext extends Omit<KeeperContext, "shared" | "askBoard"> {
  readonly storage: { readonly askBoard?: AskBoard };
  readonly lanes: { readonly shared?: SharedLanes };
}

/** Undefined if the store has no board. */
export function createBoard(context: BoardContext): BoardKeeper | undefined {
  const { askBoard } = context.storage;
  const { shared } = context.lanes;
  return askBoard && shared && createKeeper({ ...context, askBoard, shared });
}

function createKeeper(context: KeeperContext): BoardKeeper {
  const { askBoard, clock, duty, shared, wake } = context;
  const { process } = shared.moment();
  const loop = createLoop(clock, turn);
  let share: BoardShare = joinBoard(clock.monotonic());
  /** The place up to which changed rows were read. */
  let since: string | undefined;
  let hasJoined = false;
  let beatAt = clock.monotonic();

  async function turn(): Promise<number> {
    const isAllTold = await tellBoard(context);
    if (untilBeatMs() <= 0) await beat();
    return isAllTold ? Math.max(0, untilBeatMs()) : BOARD_UNSETTLED_MS;
  }

  function untilBeatMs(): number {
    return beatAt + (isSettled(share) ? BOARD_BEAT_MS : BOARD_UNSETTLED_MS) - clock.monotonic();
  }

  /** Returns whether all rows that have changed were read. */
  async function beat(): Promise<boolean> {
    beatAt = clock.monotonic();
    share = announce(share, shared.isDrained(), beatAt);
    for (let more = true; more;) {
      const askedAt = clock.monotonic();
      const request = { process, share: share.announced, liveForMs: BOARD_LIVE_MS, limit: BOARD_ROWS_PER_PAGE };
      const news = await askBoard((board) =>
        board.beat({ ...request, ...(since !== undefined && { since }) }, clock.wall()),
      );
      if (news.isErr()) return false;
      const { processes, rows } = news.value;
      share = hearShares(share, { process, processes, askedAt });
      duty.hear(processes.map((living) => living.process));
      for (const row of rows) learnRow(context, row);
      ({ next: since, more } = news.value);
    }
    shared.setShare(usableShare(share));
    wake();
    return true;
  }

  return {
    join: async () => {
      share = joinBoard(clock.monotonic());
      hasJoined = true;
      return beat();
    },
    start: (): void => {
      // Later, since a lane says so in the midst of a change.
      shared.onPending(() => void Promise.resolve().then(loop.wake));
      loop.start();
    },
    stop: async (): Promise<void> => {
      await loop.stop();
      if (!hasJoined) return;
      await tellBoard(context);
      await askBoard((board) => board.leave(process)).match(nothing, nothing);
    },
  };
}

function nothing(): void {
  // A process that could not tell that it leaves counts as gone some seconds later.
}

/** Writes and takes all that there is. Returns true if it did; if not, the rest waits for the next turn. */
async function tellBoard(context: TellContext): Promise<boolean> {
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
  const outcome = await context.askBoard((board) => board.write(drafts.map(({ row }) => row)));
  if (outcome.isErr()) return false;
  const quickerRows = new Map(outcome.value.map((row) => [row.lane, row]));
  for (const draft of drafts) {
    const row = quickerRows.get(draft.row.lane);
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

/** Takes over the row of a lane that another process has written. */
function learnRow({ shared, endpoints, emit }: LearnContext, row: BoardRow): void {
  const lane: Lane = shared.lane(row.lane);
  const merged = mergeBoard(shared.view(lane, endpoints.holds(row.lane)), row, shared.moment());
  endpoints.adopt(row.lane, merged.holds);
  const change = shared.apply(lane, merged);
  if (change !== undefined) emit({ kind: `lane-${change}`, destination: row.lane });
}

/**
 * True on the one process of a store that does the work for which a single process is enough: sweeping, carrying out
 * requests about users, telling hooks what all processes see. A process without a board is alone, and does it.
 */
export interface Duty {
  readonly isMine: () => boolean;
  /** Takes the processes that live, as the board has told. */
  readonly hear: (living: readonly ProcessId[]) => void;
}

/** `process` is undefined without a board. */
export function createDuty(process: ProcessId | undefined): Duty {
  let isMine = process === undefined;
  return {
    isMine: () => isMine,
    hear: (living): void => {
      isMine = process === undefined || isOnDuty(process, living);
    },
  };
}
