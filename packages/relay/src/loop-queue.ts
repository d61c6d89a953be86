// Runs tasks in their order, at most `limit` of them between two returns to the event loop; further tasks wait for a
// later loop turn. Under low load it costs one comparison per task, and one timer per `limit` tasks. Does not know what
// the tasks do (decision: event-loop turns).

import type { Clock } from "@postrider/core";

export interface LoopQueue<Task> {
  /** Runs a task now, or in a later loop turn if `limit` tasks have run or other tasks wait. */
  add(task: Task): void;
  /** Removes and returns all waiting tasks. */
  clear(): readonly Task[];
}

export interface LoopQueueOptions<Task> {
  /** How many tasks run between two returns to the event loop. */
  readonly limit: number;
  readonly run: (task: Task) => void;
}

/**
 * Creates an empty queue. Tasks are not counted per loop turn, as that would need a timer in each: once `limit` tasks
 * have run, over any number of loop turns, the next task waits for a timer.
 */
export function createLoopQueue<Task>(
  clock: Pick<Clock, "after">,
  { limit, run }: LoopQueueOptions<Task>,
): LoopQueue<Task> {
  let waiting: Task[] = [];
  let left = limit;

  function start(task: Task): void {
    left -= 1;
    if (left === 0) clock.after(0, refill);
    run(task);
  }

  function refill(): void {
    left = limit;
    for (let next = shift(); next !== undefined; next = shift()) start(next.task);
  }

  function shift(): { readonly task: Task } | undefined {
    if (left === 0 || waiting.length === 0) return undefined;
    const [task] = waiting.splice(0, 1) as [Task];
    return { task };
  }

  return {
    add: (task): void => {
      if (left > 0 && waiting.length === 0) start(task);
      else waiting.push(task);
    },
    clear: () => {
      const cleared = waiting;
      waiting = [];
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
