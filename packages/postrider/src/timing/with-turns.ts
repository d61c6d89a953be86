// Timers that are returns to the event loop: a timer of the platform that is due may follow another one without a look at what
// has arrived meanwhile (decisions: turns of the loop, reloads in slices).

import type { Clock } from "@postrider/core";
import { nextTurn } from "@postrider/system";

/** The timers of `clock`, each with a turn of the loop after it. */
export function withTurns(clock: Pick<Clock, "after">): Pick<Clock, "after"> {
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
