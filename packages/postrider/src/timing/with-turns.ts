// Timers that wait for one turn of the event loop once they are due, since the platform may fire several due timers in a row
// without polling its sockets (decisions: event-loop turns, reloads in slices).

import type { Clock } from "@postrider/core";
import { nextTurn } from "@postrider/system";

/** Once a timer of `clock` is due, waits for one turn of the event loop, and then calls `wake`. */
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
