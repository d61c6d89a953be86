// Limits how many pieces of work are under way at once: a further one is refused, and does not wait.

/** Begins the work and answers with its promise; undefined, and nothing is begun, while `max` are under way. */
export type AtMost = <T>(work: () => Promise<T>) => Promise<T> | undefined;

export function createAtMost(max: number): AtMost {
  let underWay = 0;
  return (work) => {
    if (underWay >= max) return undefined;
    underWay += 1;
    return work().finally(() => (underWay -= 1));
  };
}
