// Estimates a quantile from the buckets of a histogram: linear in the bucket that it falls into.

import type { RowBuckets } from "./lane-row.js";

/**
 * The value that `share` of all values do not exceed; NaN if there are none. Of the bucket beyond all bounds it is the last bound,
 * since nothing is known of what is above.
 */
export function quantileOf(row: Float64Array, { at, bounds }: RowBuckets, share: number): number {
  let all = 0;
  for (let bucket = 0; bucket <= bounds.length; bucket += 1) all += row[at + bucket] ?? 0;
  if (all === 0) return Number.NaN;
  const rank = all * share;
  let below = 0;
  let lower = 0;
  for (const [bucket, upper] of bounds.entries()) {
    const values = row[at + bucket] ?? 0;
    if (values > 0 && below + values >= rank) return lower + ((upper - lower) * (rank - below)) / values;
    below += values;
    lower = upper;
  }
  return lower;
}
