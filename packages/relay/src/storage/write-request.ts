// What one caller writes: a request of any parts, or one settlement, which most writes are. Says how large a write is. Must not know
// who waits for it.

import type { Changes, CommitResult, NoticeProgress, Settlement } from "@postrider/core";
import type { HeldLease } from "./held-lease.js";

/** The writes of one caller. They become durable all together, or not at all. */
export interface WriteRequest extends Pick<Changes, "accept" | "replay" | "settle" | "append"> {
  readonly notified: readonly NoticeProgress[];
}

/** The outcome, and the lease of the deliveries that the commit stored as claimed. */
export interface WriteOutcome extends CommitResult {
  readonly lease: HeldLease;
}

/** The content of a write. */
export type Written = WriteRequest | Settlement;

const NOTHING: WriteRequest = { accept: [], replay: [], settle: [], append: [], notified: [] };

/** A write request in which all lists that are not given are empty. */
export function writeRequest(written: Partial<WriteRequest>): WriteRequest {
  return { ...NOTHING, ...written };
}

export function isSettlement(written: Written): written is Settlement {
  return "outcome" in written;
}

/** The number of rows of a write. A message has one for each delivery, or one if it has none. */
export function rowsOf(written: Written): number {
  if (isSettlement(written)) return 1;
  const { accept, replay, settle, append, notified } = written;
  const accepting = accept.reduce((sum, { deliveries }) => sum + Math.max(1, deliveries.length), 0);
  return accepting + replay.length + settle.length + append.length + notified.length;
}

/** The bytes of all bodies in a write. */
export function bytesOf(written: Written): number {
  return isSettlement(written) ? 0 : written.accept.reduce((sum, message) => sum + message.body.length, 0);
}

/**
 * Whether a write needs space in the store. A write that only settles needs none, and is written even if the store is full.
 */
export function needsSpace(written: Written): boolean {
  return !isSettlement(written) && written.accept.length + written.replay.length > 0;
}
