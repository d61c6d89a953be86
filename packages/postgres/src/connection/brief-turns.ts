// Lets a few requests run at once, so that connections are left for commits however many people ask; the others wait for their turn.

import { type Clock, createStoreError } from "@postrider/core";
import { BRIEF_DEADLINE_MS, MAX_BRIEF, MAX_WAITING_BRIEF } from "./limits.js";

/** Makes a request when its turn comes. Rejects as `busy` if that takes too long, or too many wait. */
export type InTurn = <T>(request: () => Promise<T>) => Promise<T>;

export function createBriefTurns(clock: Pick<Clock, "after">): InTurn {
  const waiting = new Set<() => void>();
  let running = 0;

  async function turn(): Promise<void> {
    if (running < MAX_BRIEF) {
      running += 1;
      return;
    }
    if (waiting.size >= MAX_WAITING_BRIEF) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        cancel();
        resolve();
      };
      const cancel = clock.after(BRIEF_DEADLINE_MS, () => {
        waiting.delete(begin);
        reject(tooMany());
      });
      waiting.add(begin);
    });
  }

  /** Hands the turn on. */
  function end(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (request) => {
    await turn();
    try {
      return await request();
    } finally {
      end();
    }
  };
}

function tooMany(): Error {
  return createStoreError("busy", "PostgreSQL: too many requests of people at once");
}
