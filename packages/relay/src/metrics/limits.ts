// The limits of a registry, and the bounds of its histograms.

/** The number of destinations, sources, audiences and routes that have a label each; further ones are counted together as `other`. */
export const MAX_LABEL_VALUES = 500;

/** The label of all that comes after the first `MAX_LABEL_VALUES`. */
export const OTHER = "other";

/** Metrics are in seconds, events in milliseconds. */
export const MS_PER_SECOND = 1_000;

/** Seconds: the bounds that OpenTelemetry's conventions give for HTTP, of a request and of an answer. */
export const HTTP_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** Seconds, from a first attempt at once to a retry window of four hours. */
export const DELIVERY_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400,
];

/** Seconds, from a commit to a disk that is fast to one that hardly answers. */
export const COMMIT_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Calls and settlements of one commit. */
export const COMMIT_SIZES: readonly number[] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];

/** Seconds that due work has waited for a claim. */
export const OVERDUE_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600,
];

/**
 * The largest number of rounds that may be open at once, of calls whose span was recorded: twice the deliveries that a process has under
 * way. The oldest has no spans if there are more.
 */
export const MAX_OPEN_ROUNDS = 4_096;

/** The number of ended rounds that are remembered for their late attempts. Later attempts have a span without a parent. */
export const MAX_ENDED_ROUNDS = 1_024;

/** The number of destinations that have a series each, the busiest ones. All others are one together. */
export const MAX_SERIES_LANES = 50;

/** Milliseconds after which the work of a destination counts half, where the busiest ones are chosen. */
export const BUSY_HALF_LIFE_MS = 3_600_000;

/** The factor by which a destination has to be busier than the quietest one to take its place: two that are alike do not take turns. */
export const BUSIER = 2;

/** The steps of series in seconds, and for how many intervals each is kept: 6 hours, and 7 days. */
export const SERIES_INTERVALS = { 10: 2_160, 300: 2_016 } as const;
