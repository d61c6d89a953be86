// Distinguishes a stalled store from a busy one by the age of the oldest unanswered request: a long queue that moves keeps
// that age low, a disk that hangs does not (decision: stalled stores). It does not know what the requests are.

import type { Cancel, Clock, MonoMs } from "@postrider/core";
import { STALL_SLACK_MS } from "../limits.js";

export interface StallWatch {
  /**
   * Records that a request begins. The returned function must be called when the request ends; `hasAnswered` says
   * whether the store has answered.
   */
  begin(): (hasAnswered: boolean) => void;
  isStalled(): boolean;
  /** Calls `listener` at the next stall, until cancelled. */
  onStall(listener: () => void): Cancel;
}

export interface StallWatchOptions {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** The age in milliseconds from which an unanswered request shows that the store is stalled. */
  readonly stallMs: number;
  readonly onStalled?: () => void;
  /** Called when the store answers again; `waitedMs` is how long the oldest request had waited. */
  readonly onAnswers?: (waitedMs: number) => void;
}

interface Asked {
  readonly at: MonoMs;
}

/** Creates a watch. It has one timer at a time, and none while no request is open. */
export function createStallWatch({ clock, stallMs, onStalled, onAnswers }: StallWatchOptions): StallWatch {
  /** The open requests, the oldest first. */
  const open = new Set<Asked>();
  const listeners = new Set<() => void>();
  let stalledBy: Asked | undefined;
  let cancelTimer: Cancel | undefined;

  function begin(): (hasAnswered: boolean) => void {
    const asked: Asked = { at: clock.monotonic() };
    open.add(asked);
    if (open.size === 1) lookAfter(stallMs);
    return (hasAnswered) => {
      open.delete(asked);
      if (open.size === 0) cancelTimer?.();
      if (stalledBy !== undefined) recover(stalledBy, hasAnswered);
    };
  }

  function lookAfter(delayMs: number): void {
    const plannedAt = clock.monotonic() + delayMs;
    cancelTimer?.();
    cancelTimer = clock.after(delayMs, () => look(clock.monotonic() - plannedAt));
  }

  /**
   * Decides by the oldest request whether the store is stalled. A late timer shows that the process has slept: an
   * answer may have arrived already, and is read before the next look.
   */
  function look(lateMs: number): void {
    const oldest = oldestAsked();
    if (oldest === undefined) return;
    const leftMs = oldest.at + stallMs - clock.monotonic();
    if (leftMs > 0) lookAfter(leftMs);
    else if (lateMs > STALL_SLACK_MS) lookAfter(STALL_SLACK_MS);
    else stall(oldest);
  }

  function stall(oldest: Asked): void {
    stalledBy = oldest;
    onStalled?.();
    const waiting = [...listeners];
    listeners.clear();
    for (const listener of waiting) listener();
  }

  function recover(longest: Asked, hasAnswered: boolean): void {
    const oldest = oldestAsked();
    const now = clock.monotonic();
    if (oldest !== undefined && now - oldest.at >= stallMs) return;
    stalledBy = undefined;
    if (oldest !== undefined) lookAfter(oldest.at + stallMs - now);
    if (hasAnswered) onAnswers?.(now - longest.at);
  }

  function oldestAsked(): Asked | undefined {
    const [oldest] = open;
    return oldest;
  }

  return {
    begin,
    isStalled: () => stalledBy !== undefined,
    onStall: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
