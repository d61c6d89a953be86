// A loop of background work: its turns begin when the loop is woken or when a timer fires, never two at once. It
// decides when a turn begins, and does not know what a turn does.

import type { Cancel, Clock } from "@postrider/core";

export interface Loop {
  /** Begins the first turn. Does nothing if called again, or after `stop`. */
  readonly start: () => void;
  /** Begins a turn now, or right after the turn under way. Cheap; does nothing before `start` and after `stop`. */
  readonly wake: () => void;
  /** Begins no further turn. Resolves once the turn under way has ended, and rejects if a turn has rejected. */
  stop(): Promise<void>;
  readonly isStopped: () => boolean;
}

/**
 * Creates a loop. `turn` resolves with the delay in milliseconds after which the next turn begins, unless a wake comes
 * first; with undefined, the next turn waits for a wake. A turn that throws or rejects is a bug: no turn follows, the
 * process sees an unhandled rejection, and `stop` rejects.
 */
export function createLoop(clock: Pick<Clock, "after">, turn: () => Promise<number | undefined>): Loop {
  let state: "new" | "running" | "stopped" = "new";
  let isTurning = false;
  let isWanted = false;
  let turns: Promise<void> = Promise.resolve();
  let cancelTimer: Cancel | undefined;

  const isRunning = (): boolean => state === "running";

  function wake(): void {
    if (!isRunning()) return;
    isWanted = true;
    if (!isTurning) turns = takeTurns();
  }

  async function takeTurns(): Promise<void> {
    isTurning = true;
    cancelTimer?.();
    let delayMs: number | undefined;
    while (isWanted && isRunning()) {
      isWanted = false;
      delayMs = await turn();
    }
    // Set in the same step as the check that no turn is wanted: a wake between the two would start no turn.
    isTurning = false;
    if (delayMs !== undefined && isRunning()) cancelTimer = clock.after(delayMs, wake);
  }

  return {
    start: (): void => {
      if (state !== "new") return;
      state = "running";
      wake();
    },
    wake,
    stop: async (): Promise<void> => {
      state = "stopped";
      cancelTimer?.();
      // If a turn calls `stop` before its first `await`, `turns` is not yet the promise of that turn.
      await Promise.resolve();
      await turns;
    },
    isStopped: () => state === "stopped",
  };
}
