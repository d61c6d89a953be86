// Carries deletion requests out, one step after the other, in whatever process has time: at start those that a process
// before has left, then new ones at once, and now and then what others took or what could not be done before.

import type { Cancel } from "@postrider/core";
import type { AudienceStorage } from "../audience/audience-storage.js";
import type { RelayContext } from "../context.js";
import { DELETIONS_EVERY_MS, SLICE_PAUSE_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import { carryOutAll } from "./carry-out-all.js";
import type { Task } from "./task.js";

export interface DeletionWork {
  start(): void;
  /** There may be a request to carry out. */
  readonly wake: () => void;
  /** Resolves once the step under way has ended. What is left is done by the next process. */
  stop(): Promise<void>;
}

export interface DeletionWorkOptions extends Pick<Task, "deliver"> {
  /** Where audiences lie, if there are any. */
  readonly audiences: AudienceStorage | undefined;
}

export function createDeletionWork(context: RelayContext, { audiences, deliver }: DeletionWorkOptions): DeletionWork {
  const ask = context.storage.askDeletions;
  const task: Task | undefined = ask && {
    ...{ context, ask, deliver, mayGoOn: () => isRunning },
    ...(audiences === undefined ? {} : { audiences }),
  };
  let isRunning = false;
  let isWorking = false;
  let isWanted = false;
  let work: Promise<void> = Promise.resolve();
  let cancelTimer: Cancel | undefined;

  function wake(): void {
    if (!isRunning || task === undefined) return;
    isWanted = true;
    if (!isWorking) work = workOff(task);
  }

  async function workOff(present: Task): Promise<void> {
    isWorking = true;
    cancelTimer?.();
    while (isRunning && isWanted) {
      isWanted = false;
      const isMore = await carryOutAll(present);
      if (isMore) await pause(context.clock, SLICE_PAUSE_MS);
      isWanted ||= isMore;
    }
    if (isRunning) cancelTimer = context.clock.after(DELETIONS_EVERY_MS, wake);
    isWorking = false;
  }

  return {
    start: (): void => {
      isRunning = true;
      wake();
    },
    wake,
    stop: async (): Promise<void> => {
      isRunning = false;
      cancelTimer?.();
      await work;
    },
  };
}
