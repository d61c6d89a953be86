// Limits how many pieces of work run at once; further pieces wait in a bounded queue. Must not know what the work does.

/** Runs the work once the number of running pieces is below the limit. Rejects with `EAI_MEMORY` if the queue is full. */
export type WorkLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `limit` pieces of work run at once, and at most `maxWaiting` wait. */
export function createWorkLimit(limit: number, maxWaiting: number): WorkLimit {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await waitInQueue();
    else running += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };

  function waitInQueue(): Promise<void> {
    if (queue.length >= maxWaiting) {
      return Promise.reject(Object.assign(new Error("too many look-ups at once"), { code: "EAI_MEMORY" }));
    }
    return new Promise((resolve) => {
      queue.push(resolve);
    });
  }

  /** Hands the place of finished work to the next in the queue, if any. */
  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
