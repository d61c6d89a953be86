// The writes of one caller. The writes of several callers are merged into one commit, and the answer to the commit is
// divided among the callers.

import type { Changes, CommitResult, Lease, NoticeProgress } from "@postrider/core";
import { type HeldLease, heldLease } from "./held-lease.js";
import type { CommitMade } from "./try-commit.js";

/** The writes of one caller. They become durable all together, or not at all. */
export interface WriteRequest extends Pick<Changes, "accept" | "replay" | "settle" | "append"> {
  readonly notified: readonly NoticeProgress[];
}

/** The outcome, and the lease of the deliveries that the commit stored as claimed. */
export interface WriteOutcome extends CommitResult {
  readonly lease: HeldLease;
}

const NOTHING: WriteRequest = { accept: [], replay: [], settle: [], append: [], notified: [] };

/** A write request in which all lists that are not given are empty. */
export function writeRequest(written: Partial<WriteRequest>): WriteRequest {
  return { ...NOTHING, ...written };
}

/** The number of rows of a request. A message has one for each delivery, or one if it has none. */
export function rowsOf({ accept, replay, settle, append, notified }: WriteRequest): number {
  const accepting = accept.reduce((sum, { deliveries }) => sum + Math.max(1, deliveries.length), 0);
  return accepting + replay.length + settle.length + append.length + notified.length;
}

/** The bytes of all bodies in a request. */
export function bytesOf({ accept }: WriteRequest): number {
  return accept.reduce((sum, message) => sum + message.body.length, 0);
}

/**
 * Whether a request needs space in the store. A request that only settles needs none, and is written even if the store
 * is full.
 */
export function needsSpace({ accept, replay }: WriteRequest): boolean {
  return accept.length + replay.length > 0;
}

/** One request from all parts, in their order. */
export function merge(parts: readonly WriteRequest[]): WriteRequest {
  return {
    accept: parts.flatMap((part) => part.accept),
    replay: parts.flatMap((part) => part.replay),
    settle: parts.flatMap((part) => part.settle),
    append: parts.flatMap((part) => part.append),
    notified: parts.flatMap((part) => part.notified),
  };
}

/** Divides the answer to `merge(parts)` into one answer per part. */
export function divideOutcome(
  parts: readonly WriteRequest[],
  { committed, asked }: CommitMade,
  granted: Lease,
): readonly WriteOutcome[] {
  const lease = heldLease(granted, asked);
  const accepted = cutter(committed.accepted);
  const replayed = cutter(committed.replayed);
  const settled = cutter(committed.settled);
  const appended = cutter(committed.appended);
  return parts.map((part) => ({
    accepted: accepted(part.accept.length),
    replayed: replayed(part.replay.length),
    settled: settled(part.settle.length),
    appended: appended(part.append.length),
    lease,
  }));
}

/** Returns a function that takes the next `count` items of a list. */
function cutter<T>(list: readonly T[]): (count: number) => readonly T[] {
  let from = 0;
  return (count) => {
    from += count;
    return list.slice(from - count, from);
  };
}
