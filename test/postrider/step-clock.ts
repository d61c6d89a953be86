// A clock for work in slices: each return to the event loop lasts until the test lets it go on, one at a time.

import type { Clock } from "@postrider/core";
import { nextTurn } from "@postrider/system";

export interface StepClock extends Pick<Clock, "after"> {
  /** Ends the oldest return to the event loop, and lets run what follows up to the next one. */
  readonly goOn: () => Promise<void>;
}

export function createStepClock(): StepClock {
  const returns: (() => void)[] = [];
  return {
    after: (_, wake) => {
      returns.push(wake);
      return () => undefined;
    },
    goOn: async () => {
      returns.shift()?.();
      // Its own turn of the loop, and what follows in it.
      await nextTurn();
      await nextTurn();
    },
  };
}
