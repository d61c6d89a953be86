// What one caller wants written, and how many of them become one commit and its answer becomes theirs again.

import type { Changes, Committed, Lease, NoticeProgress } from "@postrider/core";
import { type HeldLease, heldLease } from "./held-lease.js";
import type { CommitMade } from "./try-commit.js";

/** What a caller wants written. All of it becomes durable together, or none. */
export interface WriteRequest extends Pick<Changes, "accept" | "replay" | "settle" | "append"> {
  readonly notified: readonly NoticeProgress[];
}

/** What became of it, and the lease under which the commit stored what it stored as claimed. */
export interface WriteResult extends Committed {
  readonly lease: HeldLease;
}

const NOTHING: WriteRequest = { accept: [], replay: [], settle: [], append: [], notified: [] };

/** What is not named is empty. */
export function writeRequest(written: Partial<WriteRequest>): WriteRequest {
  return { ...NOTHING, ...written };
}

/** How many rows this is: of a message those of its deliveries, and one where it has none. */
export function rowsOf({ accept, replay, settle, append, notified }: WriteRequest): number {
  const accepting = accept.reduce((sum, { deliveries }) => sum + Math.max(1, deliveries.length), 0);
  return accepting + replay.length + settle.length + append.length + notified.length;
}

/** Bytes of the bodies in it. */
export function bytesOf({ accept }: WriteRequest): number {
  return accept.reduce((sum, message) => sum + message.body.length, 0);
}

/** Whether it asks for room in the store. What only settles does not, and goes through however full it is. */
export function grows({ accept, replay }: WriteRequest): boolean {
  return accept.length + replay.length > 0;
}

/** All parts as one, in their order. */
export function merge(parts: readonly WriteRequest[]): WriteRequest {
  return {
    accept: parts.flatMap((part) => part.accept),
    replay: parts.flatMap((part) => part.replay),
    settle: parts.flatMap((part) => part.settle),
    append: parts.flatMap((part) => part.append),
    notified: parts.flatMap((part) => part.notified),
  };
}

/** The answer to `merge(parts)`, cut up again: to each part its own. */
export function share(
  parts: readonly WriteRequest[],
  { committed, asked }: CommitMade,
  granted: Lease,
): readonly WriteResult[] {
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

/** Hands out a list from its front, so many at a time. */
function cutter<T>(list: readonly T[]): (count: number) => readonly T[] {
  let from = 0;
  return (count) => {
    from += count;
    return list.slice(from - count, from);
  };
}
