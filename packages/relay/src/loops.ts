// Starts the loops of a relay once its clock is set, since their work depends on the time, and once it has read the board. Stops
// them, and then leaves the board.

import type { BoardKeeper } from "./fleet/lane-sync.js";
import { FAULT_PAUSE_MS } from "./limits.js";
import { createLoop, type Loop } from "./loop.js";
import type { StoreClock, FollowTime } from "./fleet/clock.js";

export interface LoopsContext {
  readonly clock: StoreClock;
  readonly storage: { readonly followTime?: FollowTime };
  /** Absent if the store has no board. */
  readonly board?: BoardKeeper | undefined;
}

export type StartAndStop = Pick<Loop, "start" | "stop">;

export function createLoops({ clock, storage, board }: LoopsContext, loops: readonly StartAndStop[]): StartAndStop {
  const { followTime } = storage;
  const startup = createLoop(clock, startWhenReady);

  async function startWhenReady(): Promise<number | undefined> {
    const isSet = await (followTime?.().match(yes, no) ?? true);
    if (!isSet || (board !== undefined && !(await board.join()))) return FAULT_PAUSE_MS;
    if (!startup.isStopped()) startAll();
    return undefined;
  }

  function startAll(): void {
    board?.start();
    for (const loop of loops) loop.start();
  }

  return {
    start: board === undefined && (followTime === undefined || clock.isSet()) ? startAll : startup.start,
    stop: async (): Promise<void> => {
      await Promise.all([startup, ...loops].map((loop) => loop.stop()));
      await board?.stop();
    },
  };
}

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}
