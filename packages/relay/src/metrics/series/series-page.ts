// The data of series, as an answer has it.

import type { EpochMs } from "@postrider/core";

/** The outcomes of calls, as in the metric `postrider_calls_total`. */
export const COUNTED_OUTCOMES = ["accepted", "filtered", "duplicate", "suppressed", "refused", "shed"] as const;
/** The outcome of a call; see `COUNTED_OUTCOMES`. */
export type CountedOutcome = (typeof COUNTED_OUTCOMES)[number];

/** The length of an interval in seconds: 10 for 6 hours, 300 for 7 days. */
export type SeriesStep = 10 | 300;

/** A number for each interval, oldest first: null if no snapshot covers it, or if it has no such number. */
export type SeriesColumn = readonly (number | null)[];

/** The work of one destination, or of several together. Counts are of the interval, times are in seconds. */
export interface LaneSeries {
  readonly delivered: SeriesColumn;
  /** Rounds after which a further one is due. */
  readonly retries: SeriesColumn;
  readonly dead: SeriesColumn;
  /** Deliveries that wait, at the end of the interval. */
  readonly waiting: SeriesColumn;
  /** From acceptance until delivered: half of those that arrived in the interval took no longer. */
  readonly deliveryP50: SeriesColumn;
  readonly deliveryP99: SeriesColumn;
  /** Of HTTP requests that ended in the interval. */
  readonly requestP50: SeriesColumn;
  readonly requestP99: SeriesColumn;
}

/** The part of the series to read. */
export interface SeriesQuery {
  readonly step: SeriesStep;
  /** The id of a destination, or `other` for those without a series, taken together. If absent, all destinations together. */
  readonly destination?: string | undefined;
  /** The interval that has this time is the first one; the oldest that is kept if absent. */
  readonly since?: EpochMs | undefined;
}

/** Series of the same intervals. */
export interface SeriesPage {
  readonly step: SeriesStep;
  /** The start of the first interval. */
  readonly from: EpochMs;
  /** The end of the last interval, which may not be over. */
  readonly until: EpochMs;
  /** Calls of this process, by what became of them. */
  readonly calls: Readonly<Record<CountedOutcome, SeriesColumn>>;
  /** Undefined if nothing was counted of this destination, or if it is not among the busiest, which alone have a series. */
  readonly destination: LaneSeries | undefined;
}
