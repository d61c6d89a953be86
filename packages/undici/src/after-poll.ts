// Runs tasks once the event loop has read what its sockets have received. All tasks of one turn share one callback of the
// loop. Reads no clock; must not know what the tasks do.

declare const setImmediate: (run: () => void) => unknown;

/** Runs a task after the next poll for events; tasks run in their order. */
export type AfterPoll = (task: () => void) => void;

/** Creates a queue of such tasks. */
export function createAfterPoll(): AfterPoll {
  let waiting: (() => void)[] = [];
  return (task) => {
    if (waiting.push(task) === 1) setImmediate(runAll);
  };

  function runAll(): void {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  }
}
