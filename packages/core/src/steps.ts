// Work that can be done in small steps, so that a host may give other work its turn in between. Decides nothing: each
// `yield` is a place at which the host may pause; the work goes on from there (decision: reloads in slices).

/** Work that pauses after each step, and ends with its result. A long step is worth a pause of the host by itself. */
export type Steps<Result> = Generator<"long" | undefined, Result, undefined>;

/** Does all steps in a row. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** What `change` makes of each item; each is a step. */
export function* mapInSteps<Item, Changed>(
  items: readonly Item[],
  change: (item: Item, index: number) => Changed,
): Steps<readonly Changed[]> {
  const changed: Changed[] = [];
  for (const [index, item] of items.entries()) {
    changed.push(change(item, index));
    yield;
  }
  return changed;
}
