// The only way to write calls and settlements. Writes are gathered here as long as core says, and written in one
// commit, with the tally: one fsync for many callers, each of which is answered only after it (decision: commits at
// once). One commit runs at a time, unless it gets no answer. Callers decide what follows from a fault of the store.

import type { Lease, Settlement } from "@postrider/core";
import { commitAt } from "@postrider/core/engine";
import { errAsync, type Result, ResultAsync } from "neverthrow";
import type { EmitMeasurement, Measurement } from "../relay-event.js";
import type { PendingCounts } from "../state/pending-counts.js";
import type { StoreClock } from "../state/store-clock.js";
import { MAX_COMMITS, MAX_GATHERED_BYTES, MAX_GATHERED_ROWS, OVERTAKE_MS } from "../limits.js";
import { createGatheredWrites, type PendingSettlement, type PendingWrite } from "./gathering.js";
import { answerFault, answerWrites, mergeWrites } from "./shared-commit.js";
import type { Storage } from "./storage.js";
import type { StoreFault } from "./store-fault.js";
import type { NewLease } from "./new-lease.js";
import { type CommitMade, tryCommit } from "./try-commit.js";
import { bytesOf, needsSpace, rowsOf, type WriteOutcome, type WriteRequest, writeRequest } from "./write-request.js";

export interface Commits {
  /**
   * Resolves once the write would survive a power cut. If too much is gathered already, a write that needs space fails
   * with `busy`.
   */
  write(written: Partial<WriteRequest>): ResultAsync<WriteOutcome, StoreFault>;
  /**
   * Writes one settlement, and calls `answer` once it would survive a power cut, or has failed. It takes a function, since a promise
   * for each delivery would cost more than the commit of its settlement.
   */
  settle(settlement: Settlement, answer: PendingSettlement["answer"]): void;
  /** Whether the store has ended, so that no write can succeed any more. */
  hasEnded(): boolean;
}

export interface CommitsOptions {
  readonly storage: Storage;
  readonly clock: StoreClock;
  readonly tally: PendingCounts;
  readonly newLease: NewLease;
  /** How long a write that no caller waits for waits for others, in milliseconds. */
  readonly gatherMs: number;
  /** Gets each commit that has succeeded. */
  readonly measure: EmitMeasurement | undefined;
}

export function createCommits({ storage, clock, tally, newLease, gatherMs, measure }: CommitsOptions): Commits {
  const gathering = createGatheredWrites();
  /** Commits without an answer, and how many of them do not hold up the next one any more. */
  let [open, overtaken] = [0, 0];
  let isTimed = false;

  function schedule(): void {
    const first = gathering.first();
    if (first === undefined || open > overtaken) return;
    const pending = { rows: gathering.rows(), since: first.since, isAwaited: gathering.isAwaited() };
    const at = commitAt(pending, gatherMs);
    const delayMs = at - clock.monotonic();
    if (delayMs <= 0) void commitNext();
    else if (!isTimed) scheduleAfter(delayMs);
  }

  function scheduleAfter(delayMs: number): void {
    isTimed = true;
    clock.after(delayMs, () => {
      isTimed = false;
      schedule();
    });
  }

  async function commitNext(): Promise<void> {
    open += 1;
    const end = letOthersOvertake();
    await commitParts(gathering.takeNext());
    end();
    open -= 1;
    schedule();
  }

  /** A commit that gets no answer does not hold up the next one for long, if the store answers side by side. */
  function letOthersOvertake(): () => void {
    if (!storage.answersSideBySide) return nothing;
    let isOvertaken = false;
    const cancel = clock.after(OVERTAKE_MS, () => {
      if (overtaken === MAX_COMMITS - 1) return;
      isOvertaken = true;
      overtaken += 1;
      schedule();
    });
    return () => {
      cancel();
      if (isOvertaken) overtaken -= 1;
    };
  }

  /** Commits these writes. If the store is full, writes that only settle still succeed, in a separate commit. */
  async function commitParts(parts: readonly PendingWrite[]): Promise<void> {
    const lease = newLease();
    const made = await commitTogether(parts, lease);
    if (made.isOk() || made.error.code !== "full") {
      answerWrites(parts, made, lease);
      return;
    }
    const settling = parts.filter((part) => !needsSpace(part.written));
    for (const part of parts) if (needsSpace(part.written)) answerFault(part, made.error);
    const isMixed = settling.length > 0 && settling.length < parts.length;
    answerWrites(settling, isMixed ? await commitTogether(settling, lease) : made, lease);
  }

  async function commitTogether(parts: readonly PendingWrite[], lease: Lease): Promise<Result<CommitMade, StoreFault>> {
    const counted = tally.take();
    const merged = mergeWrites(parts);
    const since = clock.monotonic();
    const end = storage.beginCommit();
    const made = await tryCommit(storage, clock, { ...merged, tally: counted, lease });
    end(made.isErr() ? made.error : undefined);
    if (made.isErr()) {
      tally.putBack(counted);
      return made;
    }
    measure?.(measured(merged, clock.monotonic() - since));
    if (parts.some(({ written }) => needsSpace(written))) storage.noteNotFull();
    return made;
  }

  function fits(written: WriteRequest): boolean {
    if (!needsSpace(written) || gathering.first() === undefined) return true;
    const fitsRows = gathering.rows() + rowsOf(written) <= MAX_GATHERED_ROWS;
    return fitsRows && gathering.bytes() + bytesOf(written) <= MAX_GATHERED_BYTES;
  }

  return {
    write: (given) => {
      const written = writeRequest(given);
      if (!fits(written)) return errAsync({ code: "busy" });
      const answered = new Promise<Result<WriteOutcome, StoreFault>>((answer) => {
        gathering.add({ written, since: clock.monotonic(), answer });
      });
      schedule();
      return new ResultAsync(answered);
    },
    settle: (written, answer): void => {
      gathering.add({ written, since: clock.monotonic(), answer });
      schedule();
    },
    hasEnded: () => storage.hasEnded(),
  };
}

function nothing(): void {
  // No other commit overtakes.
}

function measured({ accept, settle }: WriteRequest, ms: number): Measurement {
  return { kind: "committed", calls: accept.length, settlements: settle.length, ms };
}
