// Returns to the event loop so that a server answers its callers meanwhile: work of many steps runs in slices, and timers wait for a turn
// of the loop once they are due (decisions: event-loop turns, reloads in slices).

import type { Clock } from "@postrider/core";
import { pauseFor, type Steps } from "@postrider/core/engine";
import { nextTurn } from "@postrider/system";

/**
 * Steps between two returns to the event loop. A step reads or checks one source or destination, or does about as much
 * work (decision: reloads in slices).
 */
export const MAX_STEPS_PER_SLICE = 256;

/** Runs all steps, and returns their result. A slice ends after `MAX_STEPS_PER_SLICE` steps, or after a long step. */
export async function runInSlices<Result>(steps: Steps<Result>, clock: Pick<Clock, "after">): Promise<Result> {
  for (;;) {
    const outcome = runSlice(steps);
    if (outcome !== undefined) return outcome.result;
    await pauseFor(withLoopTurns(clock), 0);
  }
}

/** Passes the steps on, and their result. Ends with undefined before the next step if `isWanted` returns false. */
export function* stepsWhileWanted<Result>(steps: Steps<Result>, isWanted: () => boolean): Steps<Result | undefined> {
  while (isWanted()) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield step.value;
  }
  return undefined;
}

/** Runs one slice. Returns undefined if there are steps left. */
function runSlice<Result>(steps: Steps<Result>): { readonly result: Result } | undefined {
  for (let remaining = MAX_STEPS_PER_SLICE; remaining > 0; remaining -= 1) {
    const step = steps.next();
    if (step.done === true) return { result: step.value };
    if (step.value === "long") return undefined;
  }
  return undefined;
}

/**
 * Once a timer of `clock` is due, waits for one turn of the event loop, and then calls `wake`: the platform may fire several due timers
 * in a row without polling its sockets.
 */
export function withLoopTurns(clock: Pick<Clock, "after">): Pick<Clock, "after"> {
  return {
    after: (delayMs, wake) => {
      let isWanted = true;
      const cancel = clock.after(delayMs, () => {
        void nextTurn().then(() => {
          if (isWanted) wake();
        });
      });
      return () => {
        isWanted = false;
        cancel();
      };
    },
  };
}
