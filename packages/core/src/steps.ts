// Work in small steps, as a generator: at each `yield` the host may return to the event loop before it continues (decision:
// reloads in slices). The host decides when it pauses.

/**
 * Work that yields after each step, and returns its result. `"long"` means that the step was long enough to pause after it.
 */
export type Steps<Result> = Generator<"long" | undefined, Result, undefined>;

/** Runs all steps without a pause, and returns the result. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Maps each item with `map`, in order. The mapping of one item is a step. */
export function* mapInSteps<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
): Steps<readonly Mapped[]> {
  const results: Mapped[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    yield;
  }
  return results;
}
