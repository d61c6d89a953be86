// Where the search of each lane may begin, as claims have told (decision: claims beside dead rows). While any transaction holds a
// snapshot, what was claimed since stays in the index, and a search from the beginning passes over all of it.

import type { EpochMs } from "@postrider/core";
import { int4Array, int8Array } from "../wire/arrays.js";

/** Lanes that are remembered at most; then all are searched from the beginning again. */
const MAX_LOWS = 100_000;

/** After this the database does not take what was learnt for true. */
const VOID_AFTER_MS = 30_000;

/** What a claim tells of a lane. */
export interface LearntLow {
  /** Nothing in the lane that waits is due before. */
  readonly low: number;
  /** Whether the lane was searched from its beginning. */
  readonly isFull: boolean;
  /** When, by the clock of the store. */
  readonly at: EpochMs;
}

export interface Lows {
  learn(lane: number, learnt: LearntLow): void;
  /** For each lane, from when on it may be searched, and when it was last searched from its beginning; the database judges both. */
  of(lanes: readonly number[]): readonly [lows: Buffer, fullAt: Buffer];
  /** The lanes of which something is known, then what `of` tells of them. */
  all(): readonly [lanes: Buffer, lows: Buffer, fullAt: Buffer];
}

interface Low {
  readonly low: number;
  readonly fullAt: number;
}

/** No search may begin after the beginning. */
const UNKNOWN: Low = { low: -1, fullAt: -1 };

export function createLows(): Lows {
  const known = new Map<number, Low>();

  function of(lanes: readonly number[]): readonly [Buffer, Buffer] {
    const found = lanes.map((lane) => known.get(lane) ?? UNKNOWN);
    return [int8Array(found.map(({ low }) => low)), int8Array(found.map(({ fullAt }) => fullAt))];
  }

  return {
    learn: (lane, { low, isFull, at }): void => {
      if (known.size >= MAX_LOWS && !known.has(lane)) known.clear();
      const before = known.get(lane);
      if (isFull || before !== undefined) known.set(lane, { low, fullAt: isFull ? at : (before?.fullAt ?? -1) });
    },
    of,
    all: () => {
      const newest = [...known.values()].reduce((latest, { fullAt }) => Math.max(latest, fullAt), -1);
      const lanes = [...known].filter(([, { fullAt }]) => newest - fullAt < VOID_AFTER_MS).map(([lane]) => lane);
      return [int4Array(lanes), ...of(lanes)];
    },
  };
}
