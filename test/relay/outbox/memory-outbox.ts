// An outbox in memory, whose requests can be made to fail.

import { createStoreError, type Outbox, type OutboxCall, type SourceId } from "@postrider/core";

export interface MemoryOutbox {
  readonly outbox: Outbox;
  /** The calls that are in it. */
  readonly calls: () => readonly string[];
  /** The number of reads. */
  readonly reads: () => number;
  readonly put: (source: string, ...calls: readonly object[]) => void;
  /** The methods that reject from now on. */
  readonly fail: (...methods: readonly ("read" | "remove" | "count")[]) => void;
}

export function createMemoryOutbox(): MemoryOutbox {
  const rows = new Map<number, OutboxCall>();
  let failing: readonly string[] = [];
  let [last, reads] = [0, 0];

  async function unlessFailing(method: string): Promise<void> {
    await Promise.resolve();
    if (failing.includes(method)) throw createStoreError("busy", "an outbox that fails");
  }

  return {
    calls: () => [...rows.values()].map(({ call }) => call),
    reads: () => reads,
    put: (source, ...calls): void => {
      for (const call of calls) rows.set((last += 1), { source: source as SourceId, call: JSON.stringify(call) });
    },
    fail: (...methods): void => {
      failing = methods;
    },
    outbox: {
      add: () => Promise.reject(new Error("relays add nothing")),
      read: async ({ after = "0", limit, except = [] }) => {
        reads += 1;
        await unlessFailing("read");
        const matching = [...rows].filter(([id, { source }]) => id > Number(after) && !except.includes(source));
        const following = matching.slice(0, limit);
        return following.map(([id, row]) => ({ id: String(id), ...row }));
      },
      count: async ({ source, limit }) => {
        await unlessFailing("count");
        return [...rows.values()].filter((row) => row.source === source).slice(0, limit).length;
      },
      remove: async (ids): Promise<void> => {
        await unlessFailing("remove");
        for (const id of ids) rows.delete(Number(id));
      },
    },
  };
}
