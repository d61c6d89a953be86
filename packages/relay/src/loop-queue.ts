// Runs tasks in their order, and no more than so many of them between two returns to the event loop: what comes beyond that
// waits for a later turn of the loop. While little comes it costs a comparison for each task, and one timer for as many as
// may run in a turn. Knows nothing of what the tasks do (decision: event-loop turns).

import type { Clock } from "@postrider/core";

export interface LoopQueue<Task> {
  /** Runs a task now, or, where this turn has had its share or others wait, in a later one. */
  add(task: Task): void;
  /** Takes out all that wait. */
  clear(): readonly Task[];
}

export interface LoopQueueOptions<Task> {
  /** How many run between two returns to the loop. */
  readonly limit: number;
  readonly run: (task: Task) => void;
}

/**
 * Turns are not counted, as that would take a timer in each of them: once `limit` tasks have run, in however many turns, the
 * next one waits for a timer.
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

/** What is answered resolves in a later turn of the event loop, and in each turn for at most `limit` of those that wait. */
export function createLoopTurns(clock: Pick<Clock, "after">, limit: number): () => Promise<void> {
  const queue = createLoopQueue<() => void>(clock, { limit, run: (begin) => begin() });
  return () =>
    new Promise((resolve) => {
      clock.after(0, () => queue.add(resolve));
    });
}
