// Carries deletion requests out, step by step, in the process that is on duty: at start those that an earlier process left
// unfinished, then new ones at once, and at intervals those that other processes accepted, and those of which a step
// failed.

import type { Clock } from "@postrider/core";
import { defined, pauseFor } from "@postrider/core/engine";
import type { AudienceStorage } from "../audience/audience-storage.js";
import type { MessageQueue } from "../intake/enqueue.js";
import type { EmitEvent } from "../relay-event.js";
import type { Duty } from "../state/duty.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import { DELETIONS_EVERY_MS, SLICE_PAUSE_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import { carryOutAll } from "./carry-out-all.js";
import type { Task } from "./task.js";

/** The loop that carries out deletion requests. */
export interface DeletionLoop {
  start(): void;
  /** To be called when there may be a request to carry out. */
  readonly wake: () => void;
  /** Begins no further step, and resolves once the step under way has ended. The next process does the rest. */
  stop(): Promise<void>;
}

export interface DeletionLoopContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly duty: Pick<Duty, "isMine">;
  readonly settings: SettingsInForce;
  readonly queue: MessageQueue;
  readonly emit: EmitEvent;
  /** The storage of audiences; undefined if this relay has no audience store. */
  readonly audiences: AudienceStorage | undefined;
}

export function createDeletionLoop(context: DeletionLoopContext): DeletionLoop {
  const { clock, storage, duty, settings, queue, emit, audiences } = context;
  const loop = createLoop(clock, takeTurn);
  const shouldContinue = (): boolean => !loop.isStopped();
  const ask = storage.askDeletions;
  const task: Task | undefined = ask && {
    clock,
    ask,
    settings,
    queue,
    emit,
    shouldContinue,
    ...defined({ audiences }),
  };

  async function takeTurn(): Promise<number | undefined> {
    if (task === undefined) return undefined;
    if (!duty.isMine() || !(await carryOutAll(task))) return DELETIONS_EVERY_MS;
    // The pause is part of the turn, so that a wake does not shorten the pause.
    await pauseFor(clock, SLICE_PAUSE_MS);
    loop.wake();
    return undefined;
  }

  return loop;
}
