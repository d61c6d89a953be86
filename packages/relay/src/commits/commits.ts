// The only way to write calls and settlements. Writes are gathered here as long as core says, and written in one
// commit, with the tally: one fsync for many callers, each of which is answered only after it (decision: commits at
// once). One commit runs at a time, unless it gets no answer. Callers decide what follows from a fault of the store.

import type { Lease, MonoMs, Settlement, Changes, NewMessage, NoticeProgress, Replay } from "@postrider/core";
import { commitAt } from "@postrider/core/engine";
import { errAsync, type Result, ResultAsync, err, ok } from "neverthrow";
import type { EmitMeasurement, Measurement } from "../relay-event.js";
import {
  type PendingCounts,
  createGatheredWrites,
  type PendingSettlement,
  type PendingWrite,
  bytesOf,
  needsSpace,
  rowsOf,
  type WriteOutcome,
  type WriteRequest,
  writeRequest,
  type PendingRequest,
  isSettlement,
} from "./gathering.js";
import type { StoreClock } from "../fleet/clock.js";
import { MAX_COMMITS, MAX_GATHERED_BYTES, MAX_GATHERED_ROWS, OVERTAKE_MS } from "../limits.js";
import { type CommitMade, type Storage, tryCommit } from "./storage.js";
import type { StoreFault } from "../fault.js";
import { type NewLease, heldLease } from "./lease.js";

const NONE: readonly never[] = [];

export interface Commits {
  /**
   * Resolves once the write would survive a power cut. If too much is gathered already, a write that needs space fails
   * with `busy`.
   */
  write(request: Partial<WriteRequest>): ResultAsync<WriteOutcome, StoreFault>;
  /**
   * Writes one settlement, and calls `answer` once it would survive a power cut, or has failed. It takes a function, since a promise
   * for each delivery would cost more than the commit of its settlement.
   */
  settle(settlement: Settlement, answer: PendingSettlement["answer"]): void;
  /** When the oldest write that has no answer yet was made; undefined if all have one. */
  waitingSince(): MonoMs | undefined;
  /** True if the store has ended, so that no further write can succeed. */
  hasEnded(): boolean;
}

interface CommitsOptions {
  readonly storage: Storage;
  readonly clock: StoreClock;
  readonly tally: PendingCounts;
  readonly newLease: NewLease;
  /** The time in milliseconds for which a write that no caller waits for waits for further ones. */
  readonly gatherMs: number;
  /** Gets each commit that has succeeded. */
  readonly measure: EmitMeasurement | undefined;
}

export function createCommits({ storage, clock, tally, newLease, gatherMs, measure }: CommitsOptions): Commits {
  const gathering = createGatheredWrites();
  /** When the first write of each commit without an answer was made; the oldest commit first. */
  const open = new Set<{ readonly since: MonoMs }>();
  /** The number of those among them that no longer hold up the next one. */
  let overtakable = 0;
  let hasTimer = false;

  function schedule(): void {
    const first = gathering.first();
    if (first === undefined || open.size > overtakable) return;
    const pending = { rows: gathering.rows(), since: first.since, isAwaited: gathering.isAwaited() };
    const at = commitAt(pending, gatherMs);
    const delayMs = at - clock.monotonic();
    if (delayMs <= 0) void commitNext();
    else if (!hasTimer) scheduleAfter(delayMs);
  }

  function scheduleAfter(delayMs: number): void {
    hasTimer = true;
    clock.after(delayMs, () => {
      hasTimer = false;
      schedule();
    });
  }

  async function commitNext(): Promise<void> {
    const parts = gathering.takeNext();
    const [first] = parts;
    if (first === undefined) return;
    open.add(first);
    const end = letOthersOvertake();
    await commitParts(parts);
    end();
    open.delete(first);
    schedule();
  }

  /** A commit that gets no answer does not hold up the next one for long, if the store answers side by side. */
  function letOthersOvertake(): () => void {
    if (!storage.answersSideBySide) return noOthers;
    let isOvertakable = false;
    const cancel = clock.after(OVERTAKE_MS, () => {
      if (overtakable === MAX_COMMITS - 1) return;
      isOvertakable = true;
      overtakable += 1;
      schedule();
    });
    return () => {
      cancel();
      if (isOvertakable) overtakable -= 1;
    };
  }

  /** Commits these writes. If the store is full, writes that only settle still succeed, in a separate commit. */
  async function commitParts(parts: readonly PendingWrite[]): Promise<void> {
    const lease = newLease();
    const outcome = await commitTogether(parts, lease);
    if (outcome.isOk() || outcome.error.code !== "full") {
      answerWrites(parts, outcome, lease);
      return;
    }
    const settling = parts.filter((part) => !needsSpace(part.content));
    for (const part of parts) if (needsSpace(part.content)) answerFault(part, outcome.error);
    const isMixed = settling.length > 0 && settling.length < parts.length;
    const settled = isMixed ? await commitTogether(settling, lease) : outcome;
    answerWrites(settling, settled, lease);
  }

  async function commitTogether(parts: readonly PendingWrite[], lease: Lease): Promise<Result<CommitMade, StoreFault>> {
    const counts = tally.take();
    const merged = mergeWrites(parts);
    const since = clock.monotonic();
    const end = storage.beginCommit();
    const outcome = await tryCommit(storage, clock, { ...merged, tally: counts, lease });
    end(outcome.isErr() ? outcome.error : undefined);
    if (outcome.isErr()) {
      tally.putBack(counts);
      return outcome;
    }
    measure?.(measurementOf(merged, clock.monotonic() - since));
    if (parts.some(({ content }) => needsSpace(content))) storage.noteNotFull();
    return outcome;
  }

  function fits(content: WriteRequest): boolean {
    if (!needsSpace(content) || gathering.first() === undefined) return true;
    const fitsRows = gathering.rows() + rowsOf(content) <= MAX_GATHERED_ROWS;
    return fitsRows && gathering.bytes() + bytesOf(content) <= MAX_GATHERED_BYTES;
  }

  return {
    write: (request) => {
      const content = writeRequest(request);
      if (!fits(content)) return errAsync({ code: "busy" });
      const answered = new Promise<Result<WriteOutcome, StoreFault>>((answer) => {
        gathering.add({ content, since: clock.monotonic(), answer });
      });
      schedule();
      return new ResultAsync(answered);
    },
    settle: (content, answer): void => {
      gathering.add({ content, since: clock.monotonic(), answer });
      schedule();
    },
    waitingSince: () => {
      const [oldest = gathering.first()] = open;
      return oldest?.since;
    },
    hasEnded: () => storage.hasEnded(),
  };
}

function noOthers(): void {
  // No other commit overtakes.
}

function measurementOf({ accept, settle }: WriteRequest, ms: number): Measurement {
  return { kind: "committed", calls: accept.length, settlements: settle.length, ms };
}

/** The content of all writes together. */
function mergeWrites(parts: readonly PendingWrite[]): WriteRequest {
  const accept: NewMessage[] = [];
  const replay: Replay[] = [];
  const settle: Settlement[] = [];
  const append: Changes["append"][number][] = [];
  const notified: NoticeProgress[] = [];
  for (const { content } of parts) {
    if (isSettlement(content)) {
      settle.push(content);
      continue;
    }
    accept.push(...content.accept);
    replay.push(...content.replay);
    settle.push(...content.settle);
    append.push(...content.append);
    notified.push(...content.notified);
  }
  return { accept, replay, settle, append, notified };
}

/** Answers each of the writes that `mergeWrites` has put together. `lease` is that of the commit. */
function answerWrites(parts: readonly PendingWrite[], outcome: Result<CommitMade, StoreFault>, lease: Lease): void {
  if (outcome.isErr()) {
    for (const part of parts) answerFault(part, outcome.error);
    return;
  }
  const { committed, askedAt } = outcome.value;
  const held = heldLease(lease, askedAt);
  const takeAccepted = cutter(committed.accepted);
  const takeReplayed = cutter(committed.replayed);
  const takeSettled = cutter(committed.settled);
  const takeAppended = cutter(committed.appended);
  for (const part of parts) {
    if (isPendingRequest(part)) {
      const { accept, replay, settle, append } = part.content;
      part.answer(
        ok({
          accepted: takeAccepted(accept.length),
          replayed: takeReplayed(replay.length),
          settled: takeSettled(settle.length),
          appended: takeAppended(append.length),
          lease: held,
        }),
      );
    } else {
      part.answer(ok(takeSettled(1)[0] ?? "stale"));
    }
  }
}

function answerFault(part: PendingWrite, fault: StoreFault): void {
  part.answer(err<never, StoreFault>(fault));
}

function isPendingRequest(part: PendingWrite): part is PendingRequest {
  return !isSettlement(part.content);
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
