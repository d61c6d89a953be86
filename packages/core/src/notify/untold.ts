// Counts what there is to tell about one kind of trouble at one place, and decides when it is told: at once, and then no more than
// once in `NOTIFY_EVERY_MS` (decision: notifications). Nothing is left out: what comes meanwhile is counted, and told at the end.

import type { EpochMs, MonoMs } from "../ids.js";
import { MAX_NOTIFIED_DETAILS, NOTIFY_EVERY_MS, NOTIFY_REMIND_MS } from "../limits.js";

/** What has happened and is not told yet, and when something was told last. */
export interface Untold {
  /** 0 if all is told. */
  readonly count: number;
  /** When the first of these happened. */
  readonly since: EpochMs;
  readonly details: readonly string[];
  /** Undefined if nothing was told yet. */
  readonly toldAt: MonoMs | undefined;
}

/** Something that has happened once, or `count` times. */
export interface Occurrence {
  readonly count: number;
  readonly at: EpochMs;
  readonly detail?: string | undefined;
}

/** What is untold after an occurrence, which is the first one without `before`. */
export function addOccurrence(before: Untold | undefined, { count, at, detail }: Occurrence): Untold {
  const { toldAt } = before ?? { toldAt: undefined };
  const pending = before !== undefined && before.count > 0 ? before : { count: 0, since: at, details: [] };
  return { count: pending.count + count, since: pending.since, details: withDetail(pending.details, detail), toldAt };
}

function withDetail(details: readonly string[], detail: string | undefined): readonly string[] {
  const isKept = detail === undefined || details.includes(detail) || details.length >= MAX_NOTIFIED_DETAILS;
  return isKept ? details : [...details, detail];
}

/** Whether there is something to tell, and it may be told now. */
export function isToTell({ count, toldAt }: Untold, now: MonoMs): boolean {
  return count > 0 && (toldAt === undefined || now - toldAt >= NOTIFY_EVERY_MS);
}

/** What is untold once it was told: nothing. */
export function afterTelling(told: Untold, now: MonoMs): Untold {
  return { count: 0, since: told.since, details: [], toldAt: now };
}

/** Whether it can be forgotten: without it, the same would be told at the same time. */
export function isSpent({ count, toldAt }: Untold, now: MonoMs): boolean {
  return count === 0 && toldAt !== undefined && now - toldAt >= NOTIFY_EVERY_MS;
}

/** Whether trouble that lasts is to be counted once more, to remind of it; `notedAt` is when it was counted last. */
export function isToRemind(notedAt: MonoMs, now: MonoMs): boolean {
  return now - notedAt >= NOTIFY_REMIND_MS;
}
