// The port of a client's durable queue: where calls are kept until they have come to their end.

import type { CallKind } from "@postrider/core/batch";

/** A call that has not come to its end. Its messageId names it; a later one of the same name takes its place. */
export interface KeptCall {
  readonly messageId: string;
  readonly type: CallKind;
  /** The call as JSON text. */
  readonly json: string;
}

export interface CallStorage {
  /** All that is kept, oldest first. Asked once, when the client starts. */
  load(): Promise<readonly KeptCall[]>;
  /**
   * Keeps some and drops others, all or nothing; resolves when that is safe. Names that are not kept are dropped without
   * complaint. Never called while another change is under way.
   */
  change(change: { readonly keep: readonly KeptCall[]; readonly drop: readonly string[] }): Promise<void>;
}
