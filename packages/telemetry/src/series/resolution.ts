// All series of one step: of calls, of each busy destination, of the rest, of all. Tracks are created when they are needed, and
// their intervals are at the same places.

import type { EpochMs } from "@postrider/core";
import { MS_PER_SECOND, SERIES_INTERVALS } from "../limits.js";
import type { SeriesChanges } from "./series-changes.js";
import { createLaneTrack, type LaneTrack } from "./lane-track.js";
import { createColumnRing } from "./column-ring.js";
import {
  COUNTED_OUTCOMES,
  type CountedOutcome,
  type SeriesColumn,
  type SeriesPage,
  type SeriesStep,
} from "./series-page.js";
import { createSeriesTimeline } from "./series-timeline.js";

/** Which track is read: that of a place, of all without one, or of all together; undefined: none. */
export type Wanted = number | "rest" | "all" | undefined;

export interface Resolution {
  /** Keeps what was counted between two times. The first time has no earlier one, and no changes. */
  take(changes: SeriesChanges | undefined, before: EpochMs | undefined, now: EpochMs): void;
  /** What was counted of a place is that of the rest from now on, since another destination gets the place. */
  giveUp(place: number): void;
  read(wanted: Wanted, since: EpochMs | undefined): SeriesPage;
}

export function createResolution(step: SeriesStep): Resolution {
  const length = SERIES_INTERVALS[step];
  const stepMs = step * MS_PER_SECOND;
  const calls = createColumnRing(COUNTED_OUTCOMES.length, length);
  const [rest, all] = [createLaneTrack(length), createLaneTrack(length)];
  const placed = new Map<number, LaneTrack>();
  const timeline = createSeriesTimeline({ stepMs, length, clear });
  // A whole number of milliseconds, as core's `epochMs` makes it; of core only types are imported here.
  const startOf = (interval: number): EpochMs => (interval * stepMs) as EpochMs;

  function clear(place: number): void {
    calls.clear(place);
    for (const track of [rest, all, ...placed.values()]) track.clear(place);
  }

  function trackAt(place: number): LaneTrack {
    const track = placed.get(place) ?? createLaneTrack(length);
    placed.set(place, track);
    return track;
  }

  function write(at: number, changes: SeriesChanges): void {
    changes.calls.forEach((amount, outcome) => calls.add(outcome, at, amount));
    rest.add(at, changes.rest);
    all.add(at, changes.all);
    for (const [place, change] of changes.placed) trackAt(place).add(at, change);
  }

  function trackOf(wanted: Wanted): LaneTrack | undefined {
    if (wanted === "rest") return rest;
    if (wanted === "all") return all;
    return wanted === undefined ? undefined : placed.get(wanted);
  }

  return {
    take(changes, before, now) {
      const at = timeline.advance(before, now);
      if (at !== undefined && changes !== undefined) write(at, changes);
    },
    giveUp(place) {
      const track = placed.get(place);
      if (track !== undefined) rest.absorb(track);
    },
    read(wanted, since) {
      const span = timeline.span(since);
      const places = timeline.placesOf(span);
      return {
        step,
        from: startOf(span.from),
        until: startOf(span.until),
        calls: byOutcome((outcome) => calls.read(outcome, places)),
        destination: trackOf(wanted)?.read(places),
      };
    },
  };
}

function byOutcome(read: (outcome: number) => SeriesColumn): SeriesPage["calls"] {
  const columns = COUNTED_OUTCOMES.map((outcome, index) => [outcome, read(index)] as const);
  return Object.fromEntries(columns) as Record<CountedOutcome, SeriesColumn>;
}
