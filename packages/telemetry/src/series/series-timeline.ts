// Decides to which interval of a step a time belongs, and which intervals are kept. What was counted between two snapshots
// belongs to the interval of the earlier one. If a whole interval had no snapshot, or the clock was set back, it belongs to none,
// since its time is not known (decision: series).

import type { EpochMs } from "@postrider/core";

/** Intervals by their number since 1970: `until` is the one after the last. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export interface SeriesTimeline {
  /**
   * The place of what was counted since the snapshot before; undefined if it has none. `clear` is called for each place that an
   * interval begins to use, or that a clock which was set back makes void.
   */
  advance(before: EpochMs | undefined, now: EpochMs): number | undefined;
  /** The intervals that are kept, from that of `since` on. */
  span(since: EpochMs | undefined): Span;
  /** Where the numbers of a span are. */
  placesOf(span: Span): readonly number[];
}

export interface SeriesTimelineOptions {
  readonly stepMs: number;
  /** How many intervals are kept. */
  readonly length: number;
  readonly clear: (place: number) => void;
}

export function createSeriesTimeline({ stepMs, length, clear }: SeriesTimelineOptions): SeriesTimeline {
  /** The first interval that was looked at, and the one after the last. */
  let [first, end] = [0, 0];
  const intervalOf = (at: EpochMs): number => Math.floor(at / stepMs);

  function clearAll(from: number, until: number): void {
    for (let interval = Math.max(from, until - length); interval < until; interval += 1) clear(interval % length);
  }

  function begin(interval: number): void {
    [first, end] = [interval, interval];
  }

  /** What was counted in the time that comes again is forgotten: it would be counted twice. */
  function goBackTo(interval: number): void {
    clearAll(interval, end);
    [first, end] = [Math.min(first, interval), Math.min(end, interval)];
  }

  function goOnTo(interval: number): number {
    clearAll(end, interval + 1);
    end = Math.max(end, interval + 1);
    return interval % length;
  }

  return {
    advance(before, now) {
      const current = intervalOf(now);
      if (before === undefined) begin(current);
      else if (now < before) goBackTo(current);
      else if (current - intervalOf(before) <= 1) return goOnTo(intervalOf(before));
      return undefined;
    },
    span: (since) => {
      const oldest = Math.max(first, end - length);
      const from = since === undefined ? oldest : Math.max(oldest, intervalOf(since));
      return { from: Math.min(from, end), until: end };
    },
    placesOf: ({ from, until }) => Array.from({ length: until - from }, (_, index) => (from + index) % length),
  };
}
