// Gathers what is to cross a channel in one turn of the event loop, so that it crosses in one message. Each message is bounded:
// a full one is sent at once. Must not know what is gathered.

import { MAX_TURN_BYTES, MAX_TURN_ITEMS } from "./limits.js";

declare const setImmediate: (run: () => void) => unknown;

export interface TurnBatch<T> {
  /** Adds an item, which has about this number of bytes. */
  add(item: T, bytes: number): void;
  /** Takes out what was not sent yet. */
  take(): readonly T[];
}

/** `post` is called with the items of a turn after the next poll for events, and never without items. */
export function createTurnBatch<T>(post: (items: readonly T[]) => void): TurnBatch<T> {
  let items: T[] = [];
  let gatheredBytes = 0;
  let isPlanned = false;

  function take(): readonly T[] {
    const taken = items;
    items = [];
    gatheredBytes = 0;
    return taken;
  }

  function postAll(): void {
    isPlanned = false;
    if (items.length > 0) post(take());
  }

  return {
    take,
    add: (item, bytes) => {
      items.push(item);
      gatheredBytes += bytes;
      if (items.length >= MAX_TURN_ITEMS || gatheredBytes >= MAX_TURN_BYTES) post(take());
      else if (!isPlanned) {
        isPlanned = true;
        setImmediate(postAll);
      }
    },
  };
}
