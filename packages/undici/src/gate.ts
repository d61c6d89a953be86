// Lets a few through at a time, and the rest wait in line, up to a bound. Must not know what for.

/** Runs the work once there is room; rejects with `code: "EAI_MEMORY"` when the line is full. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** A gate for `limit` at once, with room for `waiting` in line. */
export function createGate(limit: number, waiting: number): Gate {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await waitInLine();
    else running += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };

  function waitInLine(): Promise<void> {
    if (line.length >= waiting) {
      return Promise.reject(Object.assign(new Error("too many look-ups at once"), { code: "EAI_MEMORY" }));
    }
    return new Promise((resolve) => {
      line.push(resolve);
    });
  }

  /** The place goes to the next in line, if there is one. */
  function leave(): void {
    const next = line.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
