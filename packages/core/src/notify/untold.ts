// Counts the occurrences of one kind of trouble at one place, and decides when they are reported: at once, and then no more than once in
// `NOTIFY_EVERY_MS` (decision: notifications). No occurrence is left out: those in between are counted, and reported after that time.

import type { EpochMs, MonoMs } from "../ids.js";
import { MAX_NOTIFIED_DETAILS, NOTIFY_EVERY_MS, NOTIFY_REMIND_MS } from "../limits.js";

/** The occurrences that are not reported yet, and the time of the last report. */
export interface Untold {
  /** 0 if all are reported. */
  readonly count: number;
  /** The instant of the first of these. */
  readonly since: EpochMs;
  readonly details: readonly string[];
  /** Undefined if nothing was reported yet. */
  readonly toldAt: MonoMs | undefined;
}

/** Something that has happened once, or `count` times. */
interface Occurrence {
  readonly count: number;
  readonly at: EpochMs;
  readonly detail?: string | undefined;
}

/** Adds an occurrence. Without `untold` it is the first one. */
export function addOccurrence(untold: Untold | undefined, { count, at, detail }: Occurrence): Untold {
  const { toldAt } = untold ?? { toldAt: undefined };
  const pending = untold !== undefined && untold.count > 0 ? untold : { count: 0, since: at, details: [] };
  return { count: pending.count + count, since: pending.since, details: withDetail(pending.details, detail), toldAt };
}

function withDetail(details: readonly string[], detail: string | undefined): readonly string[] {
  const isLeftOut = detail === undefined || details.includes(detail) || details.length >= MAX_NOTIFIED_DETAILS;
  return isLeftOut ? details : [...details, detail];
}

/** True if there is something to report, and it may be reported now. */
export function isToTell({ count, toldAt }: Untold, now: MonoMs): boolean {
  return count > 0 && (toldAt === undefined || now - toldAt >= NOTIFY_EVERY_MS);
}

/** Returns the state after a report: nothing is left to report. */
export function afterTelling(untold: Untold, now: MonoMs): Untold {
  return { count: 0, since: untold.since, details: [], toldAt: now };
}

/** True if it can be forgotten: without it, the same would be reported at the same time. */
export function isSpent({ count, toldAt }: Untold, now: MonoMs): boolean {
  return count === 0 && toldAt !== undefined && now - toldAt >= NOTIFY_EVERY_MS;
}

/** True if lasting trouble is to be counted once more, as a reminder; `notedAt` is the instant of its last count. */
export function isToRemind(notedAt: MonoMs, now: MonoMs): boolean {
  return now - notedAt >= NOTIFY_REMIND_MS;
}
