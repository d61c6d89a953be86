// Counts of calls that are not stored: refused and shed ones (a store counts suppressed calls itself). They are
// gathered here and written with the next commit that happens for another reason; a crash may lose the latest ones,
// which are no part of the law of the counters (decision: counting).

import { NO_COUNTS, type SourceCounts, type SourceId, type CallCounts } from "@postrider/core";

type Column = "refused" | "suppressed" | "shed";

export interface PendingCounts {
  add(source: SourceId, column: Column, calls: number): void;
  /** Removes and returns all counts, which the caller writes or puts back. */
  take(): readonly CallCounts[];
  putBack(tally: readonly CallCounts[]): void;
  isEmpty(): boolean;
  /** Adds the counts that are not written yet to those of all sources. */
  addTo(sources: readonly SourceCounts[]): readonly SourceCounts[];
}

export function createPendingCounts(): PendingCounts {
  let pending = new Map<SourceId, CallCounts>();

  function add(source: SourceId, column: Column, calls: number): void {
    const tally = pending.get(source) ?? { source, refused: 0, suppressed: 0, shed: 0 };
    pending.set(source, { ...tally, [column]: tally[column] + calls });
  }

  return {
    add,
    take: (): readonly CallCounts[] => {
      const taken = [...pending.values()];
      pending = new Map();
      return taken;
    },
    putBack: (tally): void => {
      for (const { source, refused, suppressed, shed } of tally) {
        add(source, "refused", refused);
        add(source, "suppressed", suppressed);
        add(source, "shed", shed);
      }
    },
    isEmpty: (): boolean => pending.size === 0,
    addTo: (sources): readonly SourceCounts[] => {
      const known = new Set(sources.map(({ source }) => source));
      const fresh = [...pending.keys()].filter((source) => !known.has(source));
      return [...sources, ...fresh.map((source) => ({ source, ...NO_COUNTS }))].map((counts) =>
        addTally(counts, pending.get(counts.source)),
      );
    },
  };
}

function addTally(counts: SourceCounts, tally: CallCounts | undefined): SourceCounts {
  if (tally === undefined) return counts;
  return {
    ...counts,
    refused: counts.refused + tally.refused,
    suppressed: counts.suppressed + tally.suppressed,
    shed: counts.shed + tally.shed,
  };
}
