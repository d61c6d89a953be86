// Carries deletion requests out, one step after the other, in whatever process has time: at start those that a process
// before has left, then new ones at once, and now and then what others took or what could not be done before.

import { defined } from "@postrider/core/engine";
import type { AudienceStorage } from "../audience/audience-storage.js";
import type { RelayContext } from "../context.js";
import { DELETIONS_EVERY_MS, SLICE_PAUSE_MS } from "../limits.js";
import { createLoop } from "../loop.js";
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
  const loop = createLoop(context.clock, takeTurn);
  const ask = context.storage.askDeletions;
  const task: Task | undefined = ask && {
    ...{ context, ask, deliver, shouldContinue: () => !loop.isStopped() },
    ...defined({ audiences }),
  };

  async function takeTurn(): Promise<number | undefined> {
    if (task === undefined) return undefined;
    if (!(await carryOutAll(task))) return DELETIONS_EVERY_MS;
    // Within the turn, so that no wake cuts it short.
    await pause(context.clock, SLICE_PAUSE_MS);
    loop.wake();
    return undefined;
  }

  return loop;
}
