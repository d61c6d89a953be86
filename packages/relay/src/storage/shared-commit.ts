// One commit that several writes share: puts them together, in their order, and divides the answer among them. Must not know when a
// commit is made.

import type { Changes, Lease, NewMessage, NoticeProgress, Replay, Settlement } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { PendingRequest, PendingWrite } from "./gathering.js";
import { heldLease } from "./held-lease.js";
import type { StoreFault } from "./store-fault.js";
import type { CommitMade } from "./try-commit.js";
import { isSettlement, type WriteRequest } from "./write-request.js";

/** What all writes have in them. */
export function mergeWrites(parts: readonly PendingWrite[]): WriteRequest {
  const accept: NewMessage[] = [];
  const replay: Replay[] = [];
  const settle: Settlement[] = [];
  const append: Changes["append"][number][] = [];
  const notified: NoticeProgress[] = [];
  for (const { written } of parts) {
    if (isSettlement(written)) {
      settle.push(written);
      continue;
    }
    accept.push(...written.accept);
    replay.push(...written.replay);
    settle.push(...written.settle);
    append.push(...written.append);
    notified.push(...written.notified);
  }
  return { accept, replay, settle, append, notified };
}

/** Answers each of the writes that `mergeWrites` has put together. `granted` is the lease of the commit. */
export function answerWrites(
  parts: readonly PendingWrite[],
  made: Result<CommitMade, StoreFault>,
  granted: Lease,
): void {
  if (made.isErr()) {
    for (const part of parts) answerFault(part, made.error);
    return;
  }
  const { committed, asked } = made.value;
  const lease = heldLease(granted, asked);
  const accepted = cutter(committed.accepted);
  const replayed = cutter(committed.replayed);
  const settled = cutter(committed.settled);
  const appended = cutter(committed.appended);
  for (const part of parts) {
    if (isPendingRequest(part)) {
      const { accept, replay, settle, append } = part.written;
      part.answer(
        ok({
          accepted: accepted(accept.length),
          replayed: replayed(replay.length),
          settled: settled(settle.length),
          appended: appended(append.length),
          lease,
        }),
      );
    } else {
      part.answer(ok(settled(1)[0] ?? "stale"));
    }
  }
}

export function answerFault(part: PendingWrite, fault: StoreFault): void {
  part.answer(err<never, StoreFault>(fault));
}

function isPendingRequest(part: PendingWrite): part is PendingRequest {
  return !isSettlement(part.written);
}

/** Returns a function that takes the next `count` items of a list. */
function cutter<T>(list: readonly T[]): (count: number) => readonly T[] {
  let from = 0;
  return (count) => {
    if (count === 0) return NONE;
    from += count;
    return list.slice(from - count, from);
  };
}

const NONE: readonly never[] = [];
