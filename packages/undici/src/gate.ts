// Limits how many calls of a function run at once; further ones wait in a bounded queue. Must not know what they do.

/** Runs the work as soon as fewer than the limit run; rejects with `code: "EAI_MEMORY"` when the queue is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** A gate for `limit` at once, with a queue of at most `maxWaiting`. */
export function createGate(limit: number, maxWaiting: number): Gate {
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

  /** Starts the next one in the queue, if any. */
  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
