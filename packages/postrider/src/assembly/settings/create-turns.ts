// Does work again and again, one turn at a time, and other work between two turns. A turn that fails is repeated at the next time.

import type { Clock } from "@postrider/core";

export interface Turns {
  readonly start: () => void;
  /** Starts a turn now, or right after the one under way. */
  readonly wake: () => void;
  /** Runs work while no turn is under way. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  readonly stop: () => void;
}

/** A turn begins `everyMs` after the end of the one before. */
export function createTurns(clock: Pick<Clock, "after">, everyMs: number, turn: () => Promise<void>): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let cancel = (): void => undefined;
  let isOn = false;

  function between<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(nothing);
    return next;
  }

  function plan(delayMs: number): void {
    cancel();
    if (isOn) cancel = clock.after(delayMs, () => void run());
  }

  async function run(): Promise<void> {
    await between(async () => {
      if (isOn) await turn();
    }).catch(nothing);
    plan(everyMs);
  }

  return {
    between,
    start: () => {
      isOn = true;
      plan(everyMs);
    },
    wake: () => plan(0),
    stop: () => {
      isOn = false;
      cancel();
    },
  };
}

function nothing(): void {
  // The relay tells of a store that fails; the next turn asks it again.
}
