// Waits for an answer up to a deadline; for that of a commit only up to a shorter one once a later commit was answered, since the
// database then answers and this connection does not (decision: silent connections).

import { type Cancel, type Clock, createStoreError, type MonoMs, type StoreError } from "@postrider/core";
import { REQUEST_DEADLINE_MS, SILENCE_DEADLINE_MS } from "./limits.js";

/** Resolves as the answer does, or rejects as `unavailable` at the deadline. */
export function beforeDeadline<T>(clock: Pick<Clock, "after">, answer: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(deadlineMs, () => {
      reject(noAnswer(deadlineMs));
    });
    answer.then(resolve, reject).finally(cancel);
  });
}

/** The commits that wait for their answers. */
export interface CommitLine {
  /** The instant at which the oldest waiting commit began. */
  oldest(): MonoMs | undefined;
  /** Waits for the answer to a commit; if its connection had rested, no longer than to the short deadline. */
  readonly wait: <T>(answer: Promise<T>, hasRested: boolean) => Promise<T>;
}

interface WaitingCommit {
  readonly begunAt: MonoMs;
  /** True if its connection is probably broken: it had rested, or a later commit was answered. */
  isSuspect: boolean;
  /** True after the short deadline. */
  isLate: boolean;
  giveUp: () => void;
}

export function createCommitLine(clock: Pick<Clock, "after" | "monotonic">): CommitLine {
  /** The oldest first. */
  const pending = new Set<WaitingCommit>();

  function overtakeThoseBefore(commit: WaitingCommit): void {
    for (const earlier of pending) {
      if (earlier === commit) return;
      earlier.isSuspect = true;
      if (earlier.isLate) earlier.giveUp();
    }
  }

  function begin(isSuspect: boolean): WaitingCommit {
    const commit = { begunAt: clock.monotonic(), isSuspect, isLate: false, giveUp: nothing };
    pending.add(commit);
    return commit;
  }

  /** Gives up at the short deadline, or else at the long one. */
  function watch(commit: WaitingCommit): Cancel {
    let cancel = clock.after(SILENCE_DEADLINE_MS, () => {
      commit.isLate = true;
      if (commit.isSuspect) commit.giveUp();
      else cancel = clock.after(REQUEST_DEADLINE_MS - SILENCE_DEADLINE_MS, commit.giveUp);
    });
    return () => {
      cancel();
    };
  }

  return {
    oldest: () => {
      const [first] = pending;
      return first?.begunAt;
    },
    wait: <T>(answer: Promise<T>, hasRested: boolean): Promise<T> =>
      new Promise((resolve, reject) => {
        const commit = begin(hasRested);
        const cancel = watch(commit);
        const leave = (): void => {
          pending.delete(commit);
          cancel();
        };
        commit.giveUp = (): void => {
          leave();
          reject(noAnswer(Math.round(clock.monotonic() - commit.begunAt)));
        };
        answer
          .then((value) => {
            if (pending.size > 1 && pending.has(commit)) overtakeThoseBefore(commit);
            resolve(value);
          }, reject)
          .finally(leave);
      }),
  };
}

function nothing(): void {
  // Replaced before anything calls it.
}

function noAnswer(afterMs: number): StoreError {
  return createStoreError("unavailable", `PostgreSQL: no answer within ${String(afterMs)} ms`);
}
