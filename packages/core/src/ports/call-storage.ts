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

/** Both methods reject with a `StoreError` if they fail. */
export interface CallStorage {
  /** All stored calls, oldest first. */
  load(): Promise<readonly KeptCall[]>;
  /**
   * Stores some calls and removes others, all or nothing. Resolves once the change would survive a power cut. A call
   * replaces a stored call with the same messageId. Removing an unknown id is no error, and no id is in both lists. Rejects
   * as `full` if the capacity would be exceeded. Never called while another change is running.
   */
  change(change: CallChange): Promise<void>;
}

/** One change of a storage of calls; all of it is stored or nothing. */
export interface CallChange {
  /** The calls to store. */
  readonly keep: readonly KeptCall[];
  /** The messageIds of the calls to remove. */
  readonly drop: readonly string[];
}
