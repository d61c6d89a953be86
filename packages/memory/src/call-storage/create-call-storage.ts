// Stores the calls of a client in memory: they outlive the client, but not the process.

import { type CallStorage, createStoreError, type KeptCall, type StoreError } from "@postrider/core";
import { MAX_KEPT_CALLS } from "@postrider/core/engine";

/** The options of `createMemoryCallStorage`. */
export interface MemoryCallStorageOptions {
  /** The highest number of calls that are kept; 100,000 if absent. */
  readonly maxCalls?: number;
}

/** A storage for the calls of a durable client, in memory: calls do not outlive the process. For tests. */
export function createMemoryCallStorage({ maxCalls = MAX_KEPT_CALLS }: MemoryCallStorageOptions = {}): CallStorage {
  const calls = new Map<string, KeptCall>();

  return {
    maxCalls,
    load: ({ from, limit }) => {
      const allCalls = [...calls.values()];
      const start = Math.max(
        0,
        allCalls.findIndex(({ messageId }) => messageId === from),
      );
      const next = allCalls[start + limit]?.messageId;
      return Promise.resolve({ calls: allCalls.slice(start, start + limit), next, stored: allCalls.length });
    },
    change: ({ keep, drop }) => {
      const newCalls = keep.filter(({ messageId }) => !calls.has(messageId)).length;
      const removedCalls = drop.filter((messageId) => calls.has(messageId)).length;
      const growth = newCalls - removedCalls;
      if (growth > 0 && calls.size + growth > maxCalls) return Promise.reject(fullError(maxCalls));
      for (const messageId of drop) calls.delete(messageId);
      // A message id that is already stored keeps its position.
      for (const { messageId, type, json } of keep) calls.set(messageId, { messageId, type, json });
      return Promise.resolve(calls.size);
    },
  };
}

function fullError(maxCalls: number): StoreError {
  return createStoreError("full", `${String(maxCalls)} calls are kept already`);
}
