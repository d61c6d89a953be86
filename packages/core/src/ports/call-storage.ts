// The storage port of a client's durable queue: it stores the client's unfinished calls (decision: durable client). Must not
// know the content of a call.

import type { CallKind } from "../call/call.js";

/** An unfinished call. Its messageId identifies it. */
export interface KeptCall {
  readonly messageId: string;
  readonly type: CallKind;
  /** The call as JSON text. */
  readonly json: string;
}

/** A page of stored calls to read. */
export interface KeptCallPageRequest {
  /** The messageId of the call with which the page begins. If absent or not stored, the page begins with the oldest call. */
  readonly from?: string | undefined;
  /** The most calls of the page; 1 or more. */
  readonly limit: number;
}

/** Some of the stored calls, oldest first. */
export interface KeptCallPage {
  readonly calls: readonly KeptCall[];
  /** The messageId of the first call after those of the page; undefined if there is none. */
  readonly next: string | undefined;
  /** The number of stored calls, those of other pages included. */
  readonly stored: number;
}

/** The storage of a client's unfinished calls. `load` and `change` reject with a `StoreError` if they fail. */
export interface CallStorage {
  /** The number of calls that the storage has room for. A client refuses further calls. */
  readonly maxCalls: number;
  /** A page of the stored calls. */
  load(request: KeptCallPageRequest): Promise<KeptCallPage>;
  /**
   * Stores some calls and removes others, all or nothing. Resolves with the number of stored calls, once the change would survive a power
   * cut. A call replaces a stored call with the same messageId, in its place. Removing an unknown id is no error, and no id is in both
   * lists. Rejects as `full` if the storage would have more than `maxCalls`. Never called while another change is running.
   */
  change(change: CallChange): Promise<number>;
  /**
   * Calls `listener` whenever calls have come into the storage by other means than `change`, such as those of a tab that was closed, so
   * that they can be loaded. A client calls it once. Absent if no other process leaves calls there.
   */
  watch?(listener: () => void): void;
}

/** One change of a storage of calls; all of it is stored or nothing. */
export interface CallChange {
  /** The calls to store. */
  readonly keep: readonly KeptCall[];
  /** The messageIds of the calls to remove. */
  readonly drop: readonly string[];
}
