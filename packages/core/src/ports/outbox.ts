// The part of a delivery store that keeps the calls that hosts have made in their own transactions (decision: outbox).

import type { SourceId } from "../ids.js";

/**
 * Runs one statement in a transaction of the host, on a connection of any library: `sql` has the placeholders `$1`, `$2`, …, each once
 * and in this order, and `values` their texts. Its result has no effect; its error reaches the host.
 */
export type RunStatement = (sql: string, values: readonly string[]) => Promise<unknown>;

/** A call that a host has made, as `accept` takes it. */
export interface OutboxCall {
  readonly source: SourceId;
  /**
   * One object as JSON, with its `type`, `messageId` and `timestamp`: a text without U+0000 and lone surrogates, which comes back unit by
   * unit, with its blanks and the order of its fields.
   */
  readonly call: string;
}

/** A call in the outbox. */
export interface OutboxEntry extends OutboxCall {
  /** Opaque. No other entry ever gets it, also not once this one is removed: a process that was slow may still remove it. */
  readonly id: string;
}

/** The filter of a page of entries of an outbox. */
export interface OutboxQuery {
  /**
   * The last entry of the previous page, which may be removed since, and which another process may have read; absent for the first page.
   */
  readonly after?: string;
  readonly limit: number;
  readonly except?: readonly SourceId[];
}

/**
 * Calls that are stored in one transaction with data of the host, or not at all, and are accepted afterwards. Nothing in it is unique: a
 * host never waits there for the transaction of another one, and a call that is there twice has one `messageId`.
 */
export interface Outbox {
  /**
   * Adds a call by one statement of the host's transaction: it is there once that is committed, and never if it is rolled back. Rejects
   * with what `run` rejects with.
   */
  add(call: OutboxCall, run: RunStatement): Promise<void>;
  /**
   * Up to `limit` committed entries that follow the entry `after`, in an order that the store chooses. Fewer than `limit`: no others follow
   * now. An entry may appear later at any place of the order, since transactions end in any order. Entries of the sources in `except` are
   * left out, and the cost of that does not grow with their number.
   */
  read(query: OutboxQuery): Promise<readonly OutboxEntry[]>;
  /** Counts the committed entries of a source; `limit` if there are more. */
  count(query: { readonly source: SourceId; readonly limit: number }): Promise<number>;
  /** Removes entries, which nothing else does; those that are gone already are passed over. */
  remove(ids: readonly string[]): Promise<void>;
}
