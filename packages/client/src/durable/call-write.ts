// The changes that wait for the next write to the storage, with only the last state of each call.

import type { KeptCall } from "@postrider/core";
import { MAX_UNWRITTEN_DROPS } from "../limits.js";

/** The last state of a call: the call to keep, or undefined to drop it; and the change of the number of stored calls, such as -1. */
export interface CallChanged {
  readonly call: KeptCall | undefined;
  readonly more: number;
}

/** By messageId. */
export type CallChanges = ReadonlyMap<string, CallChanged>;

export interface CallWrite {
  /** Adds a change. `isNew` is false if the call is stored already. */
  keep(call: KeptCall, isNew: boolean): void;
  drop(messageId: string): void;
  /** Puts changes that could not be written before those of this write. */
  carryOver(unwritten: CallChanges): void;
  changes(): CallChanges;
  keeps(): readonly KeptCall[];
  drops(): readonly string[];
  /** The change of the number of stored calls by all changes together; may be negative. */
  more(): number;
  /** The length of the texts to be stored. */
  length(): number;
  /** True if drops were forgotten, since there were too many: their calls are still stored. */
  hasForgotten(): boolean;
  /** True if the write should start: it has a new change, or a caller waits for it. Failed changes alone do not start it. */
  isDue: boolean;
  readonly end: (isWritten: boolean) => void;
  readonly written: Promise<boolean>;
}

export function createWrite(): CallWrite {
  let changes = new Map<string, CallChanged>();
  let [more, length, drops] = [0, 0, 0];
  let hasForgotten = false;
  let end: CallWrite["end"] = () => undefined;
  const completion = new Promise<boolean>((resolve) => {
    end = resolve;
  });

  function add(messageId: string, change: CallChanged): void {
    const earlier = changes.get(messageId);
    if (earlier !== undefined) count(earlier, -1);
    const merged: CallChanged = { call: change.call, more: (earlier?.more ?? 0) + change.more };
    count(merged, 1);
    changes.set(messageId, merged);
    if (drops > MAX_UNWRITTEN_DROPS) forgetDrops();
  }

  function count({ call, ...change }: CallChanged, times: number): void {
    more += times * change.more;
    length += times * (call?.json.length ?? 0);
    drops += call === undefined ? times : 0;
  }

  /** A call whose drop is forgotten is sent again. */
  function forgetDrops(): void {
    const keeps = [...changes].filter(([, { call }]) => call !== undefined);
    [changes, more, length, drops, hasForgotten] = [new Map<string, CallChanged>(), 0, 0, 0, true];
    for (const [messageId, change] of keeps) add(messageId, change);
  }

  return {
    keep: (call, isNew) => add(call.messageId, { call, more: isNew ? 1 : 0 }),
    drop: (messageId): void => {
      const isDropped = changes.has(messageId) && changes.get(messageId)?.call === undefined;
      add(messageId, { call: undefined, more: isDropped ? 0 : -1 });
    },
    carryOver: (unwritten): void => {
      const newer = changes;
      [changes, more, length, drops] = [new Map<string, CallChanged>(), 0, 0, 0];
      for (const [messageId, change] of [...unwritten, ...newer]) add(messageId, change);
    },
    changes: () => changes,
    keeps: () => [...changes.values()].flatMap(({ call }) => call ?? []),
    drops: () => [...changes].filter(([, { call }]) => call === undefined).map(([messageId]) => messageId),
    more: () => more,
    length: () => length,
    hasForgotten: () => hasForgotten,
    isDue: false,
    end: (isWritten) => end(isWritten),
    written: completion,
  };
}
