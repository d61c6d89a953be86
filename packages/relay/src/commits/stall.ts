// Distinguishes a stalled store from a busy one, and answers a host's requests while it is stalled (decision: stalled stores). A store
// that answers in order is judged by its oldest unanswered request; one that answers side by side is stalled once it answers nothing
// at all though something waits, or no commit comes back (decision: silent connections). Also counts the commits that fail.

import type { Cancel, Clock, MonoMs } from "@postrider/core";
import { err, errAsync, type Result, ResultAsync } from "neverthrow";
import {
  STALL_PROBE_MS,
  STALL_SLACK_MS,
  COMMIT_WINDOW_MS,
  COMMIT_WINDOW_PARTS,
  MIN_FAILED_COMMITS,
} from "../limits.js";
import type { RelayFault } from "../fault.js";

const UNAVAILABLE: RelayFault = { code: "unavailable" };

interface StallWatch {
  /**
   * Records that a request begins. The returned function must be called when the request ends; `hasAnswered` says
   * whether the store has answered.
   */
  begin(): (hasAnswered: boolean) => void;
  /** The same for a commit with all its tries, which are requests themselves: `hasAnswered` says whether it came back. */
  beginCommit(): (hasAnswered: boolean) => void;
  isStalled(): boolean;
  /** Calls `listener` at the next stall, until cancelled. */
  onStall(listener: () => void): Cancel;
}

interface StallWatchOptions {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** After how many milliseconds without an answer a store is stalled. */
  readonly stallMs: number;
  /** For a store that answers side by side: asks it for a quick answer, since open requests may wait for something else. */
  readonly probe?: () => void;
  readonly onStalled?: () => void;
  /** Called when the store answers again; `waitedMs` is the time that the request had waited by which it was stalled. */
  readonly onAnswers?: (waitedMs: number) => void;
}

/** Creates a watch. It has one timer at a time, and none while no request is open. */
export function createStallWatch({ clock, stallMs, probe, onStalled, onAnswers }: StallWatchOptions): StallWatch {
  const requests = createAnswerWatch(clock);
  const commits = createAnswerWatch(clock);
  const listeners = new Set<() => void>();
  const firstLookMs = probe === undefined ? stallMs : Math.min(STALL_PROBE_MS, stallMs);
  let stalledSince: MonoMs | undefined;
  let cancelTimer: Cancel | undefined;

  function beginIn(watch: AnswerWatch): (hasAnswered: boolean) => void {
    const end = watch.begin();
    if (cancelTimer === undefined && stalledSince === undefined) lookAfter(firstLookMs);
    return (hasAnswered) => {
      end(hasAnswered);
      if (requests.isEmpty() && commits.isEmpty()) stopTimer();
      if (stalledSince !== undefined) recover(stalledSince, hasAnswered);
    };
  }

  /** Waits for whole milliseconds: the rest of one, as a difference of instants may be, is nothing to a clock that adds it. */
  function lookAfter(ms: number): void {
    const delayMs = Math.ceil(ms);
    const plannedAt = clock.monotonic() + delayMs;
    stopTimer();
    cancelTimer = clock.after(delayMs, () => {
      cancelTimer = undefined;
      look(clock.monotonic() - plannedAt);
    });
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  /** A late timer shows that the process has slept: an answer may have arrived already, and is read before the next look. */
  function look(lateMs: number): void {
    const since = waitsSince();
    if (since === undefined) return;
    const silentMs = clock.monotonic() - since;
    if (silentMs < stallMs) probeAndLookAgain(silentMs);
    else if (lateMs > STALL_SLACK_MS) lookAfter(STALL_SLACK_MS);
    else stall(since);
  }

  /** Asks the store if it has been silent for long, and looks again when it is to be asked next, or counts as stalled. */
  function probeAndLookAgain(silentMs: number): void {
    const leftMs = stallMs - silentMs;
    if (probe !== undefined && silentMs >= STALL_PROBE_MS) probe();
    lookAfter(probe === undefined ? leftMs : Math.min(leftMs, STALL_PROBE_MS - (silentMs % STALL_PROBE_MS)));
  }

  function stall(since: MonoMs): void {
    stalledSince = since;
    onStalled?.();
    const toNotify = [...listeners];
    listeners.clear();
    for (const listener of toNotify) listener();
  }

  function recover(since: MonoMs, hasAnswered: boolean): void {
    const silentSince = waitsSince();
    const nowMs = clock.monotonic();
    if (silentSince !== undefined && nowMs - silentSince >= stallMs) return;
    stalledSince = undefined;
    if (silentSince !== undefined) probeAndLookAgain(nowMs - silentSince);
    if (hasAnswered) onAnswers?.(nowMs - since);
  }

  /** The instant since which something waits that shows whether the store is stalled; undefined if nothing waits. */
  function waitsSince(): MonoMs | undefined {
    if (probe === undefined) return requests.oldestAt();
    const request = requests.silentSince();
    const commit = commits.silentSince();
    return request === undefined || (commit !== undefined && commit < request) ? commit : request;
  }

  return {
    begin: () => beginIn(requests),
    beginCommit: () => (probe === undefined ? nothing : beginIn(commits)),
    isStalled: () => stalledSince !== undefined,
    onStall: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function nothing(): void {
  // The requests of a commit are looked at themselves.
}

interface AnswerWatch {
  /** Records that something begins to wait. The returned function must be called when it ends. */
  begin(): (hasAnswered: boolean) => void;
  isEmpty(): boolean;
  /** The instant at which the oldest open request began; undefined if there is none. */
  oldestAt(): MonoMs | undefined;
  /** The instant since which requests wait and none was answered; undefined if none waits. */
  silentSince(): MonoMs | undefined;
}

function createAnswerWatch(clock: Pick<Clock, "monotonic">): AnswerWatch {
  /** The oldest first. */
  const pending = new Set<{ readonly at: MonoMs }>();
  let answeredAt: MonoMs | undefined;

  function oldestAt(): MonoMs | undefined {
    const [oldest] = pending;
    return oldest?.at;
  }

  return {
    begin: () => {
      const request = { at: clock.monotonic() };
      pending.add(request);
      return (hasAnswered) => {
        pending.delete(request);
        if (hasAnswered) answeredAt = clock.monotonic();
      };
    },
    isEmpty: () => pending.size === 0,
    oldestAt,
    silentSince: () => {
      const oldest = oldestAt();
      return oldest !== undefined && answeredAt !== undefined && answeredAt > oldest ? answeredAt : oldest;
    },
  };
}

interface CommitWindow {
  note(isMade: boolean): void;
  /** True if more than half of the commits in the window have failed, and enough of them to say so. */
  isFailing(): boolean;
}

interface Part {
  readonly begunAt: MonoMs;
  made: number;
  failed: number;
}

export function createCommitWindow(clock: Pick<Clock, "monotonic">): CommitWindow {
  /** The oldest first; at most as many as the window has parts. */
  const parts: Part[] = [];

  function partAt(now: MonoMs): Part {
    const newest = parts.at(-1);
    if (newest !== undefined && now - newest.begunAt < COMMIT_WINDOW_MS / COMMIT_WINDOW_PARTS) return newest;
    const part = { begunAt: now, made: 0, failed: 0 };
    parts.push(part);
    if (parts.length > COMMIT_WINDOW_PARTS) parts.shift();
    return part;
  }

  return {
    note: (isMade): void => {
      const part = partAt(clock.monotonic());
      if (isMade) part.made += 1;
      else part.failed += 1;
    },
    isFailing: () => {
      const from = clock.monotonic() - COMMIT_WINDOW_MS;
      let made = 0;
      let failed = 0;
      for (const part of parts) {
        if (part.begunAt <= from) continue;
        made += part.made;
        failed += part.failed;
      }
      return failed >= MIN_FAILED_COMMITS && failed > made;
    },
  };
}

/** Wraps a request of a host: while the store is stalled, it is answered `unavailable`. */
export type OrStalled = <T, E>(work: () => ResultAsync<T, E>) => ResultAsync<T, E | RelayFault>;

/** Does not use the methods of `ResultAsync`, for the reason given in enqueue.ts. */
export function createOrStalled({ isStalled, onStall }: Pick<StallWatch, "isStalled" | "onStall">): OrStalled {
  return <T, E>(work: () => ResultAsync<T, E>) => {
    if (isStalled()) return errAsync(UNAVAILABLE);
    const answered = new Promise<Result<T, E | RelayFault>>((resolve) => {
      const cancel = onStall(() => resolve(err(UNAVAILABLE)));
      void work().then((result) => {
        cancel();
        resolve(result);
      });
    });
    return new ResultAsync(answered);
  };
}
