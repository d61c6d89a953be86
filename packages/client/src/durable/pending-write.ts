// The changes that wait for the next write to the storage, with only the last state of each call.

import type { KeptCall } from "@postrider/core";
import { MAX_UNWRITTEN_CHANGES } from "../limits.js";

/** By messageId: the call to keep, or null if the stored call is to be dropped. */
export type UnwrittenCalls = Map<string, KeptCall | null>;

export interface CallWrite {
  changes: UnwrittenCalls;
  /**
   * Whether the write should start: it has a new change, or a caller waits for it. Failed changes alone do not start
   * it.
   */
  isDue: boolean;
  /** By how many the number of stored calls changes. */
  more: number;
  /** The length of the texts to be stored. */
  length: number;
  readonly end: (isWritten: boolean) => void;
  readonly written: Promise<boolean>;
}

export function createWrite(): CallWrite {
  let end: CallWrite["end"] = () => undefined;
  const written = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  return { changes: new Map(), isDue: false, more: 0, length: 0, end, written };
}

/** The unwritten changes, then the new ones. If there are too many, old drops are forgotten: their calls are sent again. */
export function carryOver(unwritten: UnwrittenCalls, since: UnwrittenCalls): UnwrittenCalls {
  const all: UnwrittenCalls = new Map([...unwritten, ...since]);
  if (all.size <= MAX_UNWRITTEN_CHANGES) return all;
  return new Map([...all].filter(([messageId, call]) => call !== null || since.has(messageId)));
}
