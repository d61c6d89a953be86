// Timers that return to the event loop before they fire: the platform may fire several due timers in a row without polling its
// sockets (decisions: event-loop turns, reloads in slices).

import type { Clock } from "@postrider/core";
import { nextTurn } from "@postrider/system";

/** The timers of `clock`, each followed by one turn of the event loop. */
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
