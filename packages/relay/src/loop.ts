// Decides when background work runs: the turns of a loop, which begin when it is woken or when a timer fires, never two at once;
// tasks in a queue, a limited number of them between two returns to the event loop (decision: event-loop turns); and long work,
// which lets other work run.

import type { Cancel, Clock } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { LONG_WORK_SLICE_MS } from "./limits.js";

export interface Loop {
  /** Begins the first turn. Does nothing if called again, or after `stop`. */
  readonly start: () => void;
  /** Begins a turn now, or right after the turn under way. Cheap; does nothing before `start` and after `stop`. */
  readonly wake: () => void;
  /** Begins no further turn. Resolves once the turn under way has ended, and rejects if a turn has rejected. */
  stop(): Promise<void>;
  readonly isStopped: () => boolean;
}

/**
 * Creates a loop. `turn` resolves with the delay in milliseconds after which the next turn begins, unless a wake comes
 * first; with undefined, the next turn waits for a wake. A turn that throws or rejects is a bug: no turn follows, the
 * process sees an unhandled rejection, and `stop` rejects.
 */
export function createLoop(clock: Pick<Clock, "after">, turn: () => Promise<number | undefined>): Loop {
  let state: "new" | "running" | "stopped" = "new";
  let isTurning = false;
  let isWanted = false;
  let turns: Promise<void> = Promise.resolve();
  let cancelTimer: Cancel | undefined;

  const isRunning = (): boolean => state === "running";

  function wake(): void {
    if (!isRunning()) return;
    isWanted = true;
    if (!isTurning) turns = takeTurns();
  }

  async function takeTurns(): Promise<void> {
    isTurning = true;
    cancelTimer?.();
    let delayMs: number | undefined;
    while (isWanted && isRunning()) {
      isWanted = false;
      delayMs = await turn();
    }
    // Set in the same step as the check that no turn is wanted: a wake between the two would start no turn.
    isTurning = false;
    if (delayMs !== undefined && isRunning()) cancelTimer = clock.after(delayMs, wake);
  }

  return {
    start: (): void => {
      if (state !== "new") return;
      state = "running";
      wake();
    },
    wake,
    stop: async (): Promise<void> => {
      state = "stopped";
      cancelTimer?.();
      // If a turn calls `stop` before its first `await`, `turns` is not yet the promise of that turn.
      await Promise.resolve();
      await turns;
    },
    isStopped: () => state === "stopped",
  };
}

export interface LoopQueue<Task> {
  /** Runs a task now, or in a later loop turn if `limit` tasks have run or other tasks wait. */
  add(task: Task): void;
  /** Removes and returns all waiting tasks. */
  clear(): readonly Task[];
}

export interface LoopQueueOptions<Task> {
  /** The number of tasks that run between two returns to the event loop. */
  readonly limit: number;
  readonly run: (task: Task) => void;
}

/**
 * Creates an empty queue. Tasks are not counted per loop turn, as that would need a timer in each: once `limit` tasks
 * have run, over any number of loop turns, the next task waits for a timer. Under low load it costs one comparison per
 * task, and one timer per `limit` tasks.
 */
export function createLoopQueue<Task>(
  clock: Pick<Clock, "after">,
  { limit, run }: LoopQueueOptions<Task>,
): LoopQueue<Task> {
  let queued: Task[] = [];
  let tasksLeft = limit;

  function start(task: Task): void {
    tasksLeft -= 1;
    if (tasksLeft === 0) clock.after(0, refill);
    run(task);
  }

  function refill(): void {
    tasksLeft = limit;
    for (let first = shift(); first !== undefined; first = shift()) start(first.task);
  }

  function shift(): { readonly task: Task } | undefined {
    if (tasksLeft === 0 || queued.length === 0) return undefined;
    const [task] = queued.splice(0, 1) as [Task];
    return { task };
  }

  return {
    add: (task): void => {
      if (tasksLeft > 0 && queued.length === 0) start(task);
      else queued.push(task);
    },
    clear: () => {
      const cleared = queued;
      queued = [];
      return cleared;
    },
  };
}

/** Returns a function whose promises resolve in a later loop turn, at most `limit` of them in each. */
export function createNextLoopTurn(clock: Pick<Clock, "after">, limit: number): () => Promise<void> {
  const queue = createLoopQueue<() => void>(clock, { limit, run: (begin) => begin() });
  return () =>
    new Promise((resolve) => {
      clock.after(0, () => queue.add(resolve));
    });
}

/** Long work that runs beside other work. */
export interface LongWork {
  readonly shouldContinue: () => boolean;
  /**
   * Lets other work run if `LONG_WORK_SLICE_MS` or more have passed since it last did so, the time of waiting included;
   * otherwise returns undefined, so that the caller need not wait.
   */
  readonly yieldIfLong: () => Promise<void> | undefined;
  /** Resolves after `delayMs` milliseconds. */
  readonly pause: (delayMs: number) => Promise<void>;
}

/** Begins a piece of long work. The time until other work first runs is counted from now on. */
export function createLongWork(clock: Clock, shouldContinue: () => boolean): LongWork {
  let since = clock.monotonic();

  async function rest(): Promise<void> {
    await pauseFor(clock, 0);
    since = clock.monotonic();
  }

  return {
    shouldContinue,
    yieldIfLong: () => (clock.monotonic() - since < LONG_WORK_SLICE_MS ? undefined : rest()),
    pause: (delayMs) => pauseFor(clock, delayMs),
  };
}
