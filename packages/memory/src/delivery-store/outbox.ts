// The outbox of a memory delivery store, and the transactions of hosts that write into it. Entries are numbered when they are added and
// appear when their transaction commits, as in a database: one may appear before others that can be seen already.

import { createStoreError, type Outbox, type OutboxCall, type RunStatement } from "@postrider/core";
import { contentsOf, type MemoryDisk } from "../memory-disk.js";
import type { RunAsPromise } from "../record-store.js";
import type { MemoryStoreBounds } from "./bounds.js";
import type { NumberedCall, OutboxContents } from "./contents.js";

/** The statement of `add`, the only one that a transaction of a memory disk runs. */
const ADD = "insert into outbox (source, call) values ($1, $2)";

/** A transaction of a host on a memory disk. What its `run` adds to an outbox is there once it is committed. */
export interface MemoryTransaction {
  /** Rejects, also when the transaction has ended, with an error that is no `StoreError`. */
  readonly run: RunStatement;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

/** Begins a transaction on a disk, for the outboxes of the stores on it. Waits for no other one. */
export function beginMemoryTransaction(disk: MemoryDisk): MemoryTransaction {
  const { outbox } = contentsOf(disk);
  let added: NumberedCall[] = [];
  let isOpen = true;

  function end(): Promise<void> {
    added = [];
    isOpen = false;
    return Promise.resolve();
  }

  function runNow(sql: string, [source = "", call = ""]: readonly string[]): void {
    if (!isOpen) throw new Error("the transaction has ended");
    if (sql !== ADD) throw new Error(`a transaction of a memory disk has no statement but "${ADD}"`);
    outbox.lastNumber += 1;
    added.push({ number: outbox.lastNumber, source: source as OutboxCall["source"], call });
  }

  return {
    run: (sql, values) =>
      new Promise((resolve) => {
        runNow(sql, values);
        resolve(undefined);
      }),
    commit: () => {
      for (const row of added) insert(outbox, row);
      return end();
    },
    rollback: end,
  };
}

/** Rows are ordered by number; most are committed in this order. */
function insert({ rows }: OutboxContents, row: NumberedCall): void {
  rows.splice(rows.findLastIndex(({ number }) => number < row.number) + 1, 0, row);
}

export function createMemoryOutbox(
  outbox: OutboxContents,
  { maxOutboxCalls }: Pick<MemoryStoreBounds, "maxOutboxCalls">,
  answer: RunAsPromise,
): Outbox {
  return {
    add: async ({ source, call }, run): Promise<void> => {
      if (outbox.rows.length >= maxOutboxCalls) throw createStoreError("full", "the memory store is at its bound");
      await run(ADD, [source, call]);
    },
    read: ({ after = "0", limit, except = [] }) =>
      answer(() => {
        const leftOut = new Set(except);
        return outbox.rows
          .filter(({ number, source }) => number > Number(after) && !leftOut.has(source))
          .slice(0, limit)
          .map(({ number, ...call }) => ({ id: String(number), ...call }));
      }),
    count: ({ source, limit }) =>
      answer(() => Math.min(limit, outbox.rows.filter((row) => row.source === source).length)),
    remove: (ids) =>
      answer(() => {
        const removed = new Set(ids);
        outbox.rows = outbox.rows.filter(({ number }) => !removed.has(String(number)));
      }),
  };
}
