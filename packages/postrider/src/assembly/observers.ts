// Passes each relay event to any number of listeners. A listener that throws has no effect on the others.

import type { RelayEvent } from "@postrider/relay";

export type Observer = (event: RelayEvent) => void;

export interface Observers {
  /** Passes an event to all listeners. Never throws. */
  readonly tell: Observer;
  /** Adds a listener, and returns a function that removes it. */
  add(listener: Observer): () => void;
}

/** `initial`: listeners from the start on, in this order; those that are undefined are left out. */
export function createObservers(...initial: readonly (Observer | undefined)[]): Observers {
  // Each listener is wrapped, so that one that was added twice is called twice, and removed once.
  const listeners = new Set<{ readonly listener: Observer }>();
  const add = (listener: Observer): (() => void) => {
    const entry = { listener };
    listeners.add(entry);
    return () => void listeners.delete(entry);
  };
  for (const listener of initial) if (listener !== undefined) add(listener);
  return {
    add,
    tell: (event) => {
      for (const { listener } of listeners) {
        try {
          listener(event);
        } catch {
          // The event has happened, whatever a listener makes of it.
        }
      }
    },
  };
}
