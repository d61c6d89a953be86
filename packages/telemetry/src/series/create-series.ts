// A memory of the metrics over time, of a fixed size: what was counted between snapshots, in intervals of 10 seconds and of 5
// minutes. It sets no timer and reads no clock: its caller takes the snapshots (decision: series).

import type { EpochMs } from "@postrider/core";
import { OTHER } from "../limits.js";
import type { MetricsSnapshot } from "../metrics-snapshot.js";
import { createBusiest } from "./busiest.js";
import { differenceOf, shareOut } from "./series-changes.js";
import { createRows, readTotals, type Totals } from "./read-totals.js";
import { createResolution, type Wanted } from "./resolution.js";
import type { SeriesPage, SeriesQuery } from "./series-page.js";

/** What the metrics were over time. */
export interface Series {
  /**
   * Takes the next snapshot of the same registry; `now` is the time of the wall clock. To be called at each full 10 seconds: then what
   * was counted in between is that of one interval.
   */
  take(snapshot: MetricsSnapshot, now: EpochMs): void;
  /** At most 2,160 intervals, oldest first; none before the second snapshot. */
  readonly read: (query: SeriesQuery) => SeriesPage;
}

/**
 * Series without any interval. They take about 135 kB for each destination, of at most 50, and 700 kB besides: 8 MB at most. Of
 * further destinations the busiest have a series; all others are one together.
 */
export function createSeries(): Series {
  const rows = createRows();
  const busiest = createBusiest();
  const resolutions = { 10: createResolution(10), 300: createResolution(300) } as const;
  const each = Object.values(resolutions);
  let latest: { readonly totals: Totals; readonly at: EpochMs } | undefined;

  function wantedOf(destination: string | undefined): Wanted {
    if (destination === undefined) return "all";
    if (destination === OTHER) return "rest";
    const row = rows.find(destination);
    return row === undefined ? undefined : busiest.placeOf(row);
  }

  return {
    take(snapshot, now) {
      const totals = readTotals(snapshot, rows);
      const before = latest;
      latest = { totals, at: now };
      if (before === undefined) {
        for (const resolution of each) resolution.take(undefined, undefined, now);
        return;
      }
      const difference = differenceOf(totals, before.totals);
      for (const place of busiest.note(difference.lanes, rows.count(), now - before.at)) {
        for (const resolution of each) resolution.giveUp(place);
      }
      const changes = shareOut(difference, rows.count(), (row) => busiest.placeOf(row));
      for (const resolution of each) resolution.take(changes, before.at, now);
    },
    read: ({ step, destination, since }) => resolutions[step].read(wantedOf(destination), since),
  };
}
