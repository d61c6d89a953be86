// Does work of many steps in slices, with a return to the event loop after each, so that a server goes on answering its
// callers meanwhile (decision: reloads in slices).

import type { Clock, Steps } from "@postrider/core";
import { pause } from "./pause.js";
import { withTurns } from "./with-turns.js";

/**
 * Steps between two returns to the event loop. A step reads or checks one source or destination, or as much work as that
 * (decision: reloads in slices).
 */
export const SLICE_STEPS = 256;

/** At most `SLICE_STEPS` steps in a row, and none after a long one. */
export async function runInSlices<Result>(steps: Steps<Result>, clock: Pick<Clock, "after">): Promise<Result> {
  for (;;) {
    const ended = runSlice(steps);
    if (ended !== undefined) return ended.result;
    await pause(withTurns(clock), 0);
  }
}

/** The same steps as long as they are wanted; undefined if they are not any more. */
export function* whileWanted<Result>(steps: Steps<Result>, isWanted: () => boolean): Steps<Result | undefined> {
  while (isWanted()) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield step.value;
  }
  return undefined;
}

/** Undefined if there are steps left. */
function runSlice<Result>(steps: Steps<Result>): { readonly result: Result } | undefined {
  for (let left = SLICE_STEPS; left > 0; left -= 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value };
    if (step.value === "long") return undefined;
  }
  return undefined;
}
