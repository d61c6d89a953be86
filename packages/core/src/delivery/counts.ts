// The counters, and the law that connects them: each unit counts in exactly one state (decision: counting).

import { isAudienceSource } from "../audience/audience.js";
import type { SourceId } from "../ids.js";

/** Counters of units (the first six) and of calls (the last five). All of them describe the same moment. */
export interface Counts {
  /** All units: for each message, one per destination that is connected to its source, or one if there is none; one per replay. */
  readonly accepted: number;
  readonly filtered: number;
  readonly waiting: number;
  readonly claimed: number;
  readonly delivered: number;
  readonly dead: number;
  /**
   * Stored calls, each counted once regardless of destinations. For the source of an audience: the changes of members that
   * were stored. Notices do not count.
   */
  readonly received: number;
  readonly refused: number;
  readonly duplicates: number;
  readonly suppressed: number;
  readonly shed: number;
}

/** The counters of one source. */
export interface SourceCounts extends Counts {
  readonly source: SourceId;
}

/** All counters at 0. */
export const NO_COUNTS: Counts = {
  accepted: 0,
  filtered: 0,
  waiting: 0,
  claimed: 0,
  delivered: 0,
  dead: 0,
  received: 0,
  refused: 0,
  duplicates: 0,
  suppressed: 0,
  shed: 0,
};

/** The sums of the counters over all sources. Changes of audiences do not count as received calls. */
export function totalCounts(sources: readonly SourceCounts[]): Counts {
  return sources.reduce<Counts>((sum, counts) => addCounts(sum, withoutMemberChanges(counts)), NO_COUNTS);
}

function withoutMemberChanges(counts: SourceCounts): Counts {
  return isAudienceSource(counts.source) ? { ...counts, received: 0 } : counts;
}

function addCounts(sum: Counts, more: Counts): Counts {
  return {
    accepted: sum.accepted + more.accepted,
    filtered: sum.filtered + more.filtered,
    waiting: sum.waiting + more.waiting,
    claimed: sum.claimed + more.claimed,
    delivered: sum.delivered + more.delivered,
    dead: sum.dead + more.dead,
    received: sum.received + more.received,
    refused: sum.refused + more.refused,
    duplicates: sum.duplicates + more.duplicates,
    suppressed: sum.suppressed + more.suppressed,
    shed: sum.shed + more.shed,
  };
}

/** True if the law holds: `accepted = filtered + waiting + claimed + delivered + dead`. */
export function countsBalance(counts: Counts): boolean {
  return counts.accepted === counts.filtered + counts.waiting + counts.claimed + counts.delivered + counts.dead;
}
