// Starts the loops of a relay once its clock is set, since what they do depends on the time, and stops them. Does not know what
// they do.

import { FAULT_PAUSE_MS } from "./limits.js";
import { createLoop, type Loop } from "./loop.js";
import type { StoreClock } from "./state/store-clock.js";
import type { FollowTime } from "./storage/follow-time.js";

export interface LoopsContext {
  readonly clock: StoreClock;
  readonly storage: { readonly followTime?: FollowTime };
}

export type StartAndStop = Pick<Loop, "start" | "stop">;

export function createLoops({ clock, storage }: LoopsContext, loops: readonly StartAndStop[]): StartAndStop {
  const { followTime } = storage;
  const setting = createLoop(clock, setClock);

  async function setClock(): Promise<number | undefined> {
    const isSet = await (followTime?.().match(yes, no) ?? true);
    if (!isSet) return FAULT_PAUSE_MS;
    if (!setting.isStopped()) startAll();
    return undefined;
  }

  function startAll(): void {
    for (const loop of loops) loop.start();
  }

  return {
    start: followTime === undefined || clock.isSet() ? startAll : setting.start,
    stop: async (): Promise<void> => {
      await Promise.all([setting, ...loops].map((loop) => loop.stop()));
    },
  };
}

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}
