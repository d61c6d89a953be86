// The counters and the law that ties them: every unit ends in exactly one place (decision: counting).

import { isAudienceSource } from "../audience/audience-source.js";
import type { SourceId } from "../ids.js";

/** Numbers of units (first six) and of calls (last five). They only ever describe one moment together. */
export interface Counts {
  /** Units: each accepted call once for each destination connected to its source, and each replay. */
  readonly accepted: number;
  readonly filtered: number;
  readonly waiting: number;
  readonly claimed: number;
  readonly delivered: number;
  readonly dead: number;
  /** Calls that were stored, each once, wherever it goes; of the source of an audience, its changes. Notices are none. */
  readonly received: number;
  readonly refused: number;
  readonly duplicates: number;
  readonly suppressed: number;
  readonly shed: number;
}

export interface SourceCounts extends Counts {
  readonly source: SourceId;
}

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

/** The sum over all sources; what audiences tell is no call that was received. */
export function totalCounts(sources: readonly SourceCounts[]): Counts {
  return sources.reduce<Counts>((sum, counts) => addCounts(sum, callsOf(counts)), NO_COUNTS);
}

function callsOf(counts: SourceCounts): Counts {
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

/** The law: `accepted = filtered + waiting + claimed + delivered + dead`. */
export function countsBalance(counts: Counts): boolean {
  return counts.accepted === counts.filtered + counts.waiting + counts.claimed + counts.delivered + counts.dead;
}
