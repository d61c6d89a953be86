// Distinguishes a stalled store from a busy one. A store that answers in order is judged by the age of the oldest unanswered request: a long
// queue that moves keeps that age low, a disk that hangs does not (decision: stalled stores). One that answers side by side is stalled once
// it answers nothing at all though something waits, or no commit comes back (decision: silent connections).

import type { Cancel, Clock, MonoMs } from "@postrider/core";
import { STALL_PROBE_MS, STALL_SLACK_MS } from "../limits.js";
import { type AnswerLine, createAnswerLine } from "./answer-line.js";

export interface StallWatch {
  /**
   * Records that a request begins. The returned function must be called when the request ends; `hasAnswered` says
   * whether the store has answered.
   */
  begin(): (hasAnswered: boolean) => void;
  /** The same for a commit with all its tries, which are requests themselves; `hasAnswered`: it came back. */
  beginCommit(): (hasAnswered: boolean) => void;
  isStalled(): boolean;
  /** Calls `listener` at the next stall, until cancelled. */
  onStall(listener: () => void): Cancel;
}

export interface StallWatchOptions {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** After how many milliseconds without an answer a store is stalled. */
  readonly stallMs: number;
  /** For a store that answers side by side: asks what it can answer at once, since what waits may wait for something else. */
  readonly probe?: () => void;
  readonly onStalled?: () => void;
  /** Called when the store answers again; `waitedMs` is how long what made it stalled had waited. */
  readonly onAnswers?: (waitedMs: number) => void;
}

/** Creates a watch. It has one timer at a time, and none while no request is open. */
export function createStallWatch({ clock, stallMs, probe, onStalled, onAnswers }: StallWatchOptions): StallWatch {
  const [requests, commits] = [createAnswerLine(clock), createAnswerLine(clock)];
  const listeners = new Set<() => void>();
  const firstLookMs = probe === undefined ? stallMs : Math.min(STALL_PROBE_MS, stallMs);
  let stalledSince: MonoMs | undefined;
  let cancelTimer: Cancel | undefined;

  function beginIn(line: AnswerLine): (hasAnswered: boolean) => void {
    const end = line.begin();
    if (cancelTimer === undefined && stalledSince === undefined) lookAfter(firstLookMs);
    return (hasAnswered) => {
      end(hasAnswered);
      if (requests.isEmpty() && commits.isEmpty()) stopTimer();
      if (stalledSince !== undefined) recover(stalledSince, hasAnswered);
    };
  }

  function lookAfter(delayMs: number): void {
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
    if (silentMs < stallMs) lookSoon(silentMs);
    else if (lateMs > STALL_SLACK_MS) lookAfter(STALL_SLACK_MS);
    else stall(since);
  }

  /** Looks when the store is to be asked the next time, or counts as stalled. */
  function lookSoon(silentMs: number): void {
    const leftMs = stallMs - silentMs;
    if (probe !== undefined && silentMs >= STALL_PROBE_MS) probe();
    lookAfter(probe === undefined ? leftMs : Math.min(leftMs, STALL_PROBE_MS - (silentMs % STALL_PROBE_MS)));
  }

  function stall(since: MonoMs): void {
    stalledSince = since;
    onStalled?.();
    const waiting = [...listeners];
    listeners.clear();
    for (const listener of waiting) listener();
  }

  function recover(since: MonoMs, hasAnswered: boolean): void {
    const still = waitsSince();
    const now = clock.monotonic();
    if (still !== undefined && now - still >= stallMs) return;
    stalledSince = undefined;
    if (still !== undefined) lookSoon(now - still);
    if (hasAnswered) onAnswers?.(now - since);
  }

  /** Since when something waits that shows whether the store is stalled; undefined if nothing waits. */
  function waitsSince(): MonoMs | undefined {
    if (probe === undefined) return requests.oldestAt();
    const [answers, commit] = [requests.silentSince(), commits.silentSince()];
    return answers === undefined || (commit !== undefined && commit < answers) ? commit : answers;
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
