// A loop of background work: turns that begin when it is woken or when a timer fires, never two at once. It decides when a
// turn begins, and does not know what a turn does.

import type { Cancel, Clock } from "@postrider/core";

export interface Loop {
  /** Begins the first turn. Does nothing if called again, or after `stop`. */
  readonly start: () => void;
  /** Begins a turn now, or right after the one under way. Cheap; does nothing before `start` and after `stop`. */
  readonly wake: () => void;
  /** Begins no further turn. Resolves once the one under way has ended, and rejects if a turn has rejected. */
  stop(): Promise<void>;
  readonly isStopped: () => boolean;
}

/**
 * A turn resolves with the delay in milliseconds after which the next one begins, unless a wake comes first; undefined if
 * it is to wait for a wake. A turn that throws or rejects is a bug: no turn follows it, and its rejection is left to the
 * process and to `stop`.
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
    // In the same step as the check that no turn is wanted: otherwise a call of `wake` could come between the two.
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
      // A turn that calls `stop` in its first step does so before `turns` is its promise.
      await Promise.resolve();
      await turns;
    },
    isStopped: () => state === "stopped",
  };
}
