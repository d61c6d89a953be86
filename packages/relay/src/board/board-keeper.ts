// Keeps a relay in step with the other processes of its store: tells that it lives, learns what they know, and tells what it has
// learnt (decision: lane board). A board that does not answer stops nothing: what was known last holds on.

import {
  announce,
  BOARD_BEAT_MS,
  BOARD_LIVE_MS,
  type BoardShare,
  hearShares,
  isSettled,
  joinBoard,
  usableShare,
} from "@postrider/core/engine";
import { BOARD_ROWS_PER_PAGE, BOARD_UNSETTLED_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import type { SharedLanes } from "../lanes/shared-lanes.js";
import type { AskBoard } from "../commits/storage.js";
import type { KeeperContext } from "./context.js";
import { learnRow, tellBoard } from "./tell-board.js";

export interface BoardKeeper {
  /** Learns all that the others have told. Resolves with whether it has; nothing may be delivered before. */
  join(): Promise<boolean>;
  start(): void;
  /** Tells what is left to tell; the process then counts as gone. */
  stop(): Promise<void>;
}

export interface BoardContext extends Omit<KeeperContext, "shared" | "askBoard"> {
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
  let since: string | undefined;
  let hasJoined = false;
  let beatAt = clock.monotonic();

  async function turn(): Promise<number> {
    const isTold = await tellBoard(context);
    if (untilBeatMs() <= 0) await beat();
    return isTold ? Math.max(0, untilBeatMs()) : BOARD_UNSETTLED_MS;
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
      duty.hear(processes.map((one) => one.process));
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
