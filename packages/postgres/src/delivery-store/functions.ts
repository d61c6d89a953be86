// The things that a part of the store needs to call the functions of its schema: the connection, the numbers of sources and lanes, and
// where the search of each lane may begin (decision: claims beside dead rows). A name gets its number once, in a separate transaction,
// and keeps it; so numbers may be remembered.

import { isAudienceSource, type DestinationId, type SourceId, type EpochMs } from "@postrider/core";
import type { Requests } from "../connection/requests.js";
import { textArray, int4Array, int8Array } from "../wire/values.js";
import { readPlain } from "../wire/read-row.js";

/** What a part of the store needs to ask its functions. */
export interface Functions {
  readonly connection: Requests;
  readonly names: Names;
  readonly lows: Lows;
  /** The name of the schema as SQL. */
  readonly schema: string;
  readonly bucket: number;
  /** The time of a request that was given `now`: null if the database tells it. */
  readonly timeFor: (now: EpochMs) => number | null;
}

/** The numbers of names. */
export interface Names {
  sources(names: readonly SourceId[]): Promise<Numbers>;
  lanes(names: readonly DestinationId[]): Promise<Numbers>;
}

/** The number of a name that was asked for. */
export type Numbers = (name: string) => number;

/** Names that are remembered at most; then they are asked for again. */
const MAX_NAMES = 100_000;

/** Asks the database for names that are not known yet. */
export function createNames({ ask }: Requests, schema: string): Names {
  const [sources, lanes] = [new Map<string, number>(), new Map<string, number>()];

  async function learn(
    known: Map<string, number>,
    names: readonly string[],
    text: string,
    more: (names: readonly string[]) => readonly unknown[],
  ): Promise<Numbers> {
    const missing = [...new Set(names)].filter((name) => !known.has(name));
    if (missing.length > 0) {
      const [row] = await ask(text, [textArray(missing), ...more(missing)]);
      if (known.size + missing.length > MAX_NAMES) known.clear();
      const numbers = readPlain(row ?? {}, "ids").split(",");
      for (const [index, name] of missing.entries()) known.set(name, Number(numbers[index]));
    }
    const copy = new Map(names.map((name) => [name, known.get(name) ?? 0]));
    return (name) => copy.get(name) ?? 0;
  }

  return {
    sources: (names) =>
      learn(sources, names, `select ids from ${schema}.name_sources($1, $2::text::boolean[])`, (missing) => [
        `{${missing.map((name) => String(isAudienceSource(name as SourceId))).join(",")}}`,
      ]),
    lanes: (names) => learn(lanes, names, `select ids from ${schema}.name_lanes($1)`, () => []),
  };
}

/** What a claim tells of a lane. */
interface LearntLow {
  /** Nothing in the lane that waits is due before. */
  readonly low: number;
  /** Whether the lane was searched from its beginning. */
  readonly isFull: boolean;
  /** When, by the clock of the store. */
  readonly at: EpochMs;
}

/**
 * Where the search of each lane may begin, as claims have told. While any transaction holds a snapshot, what was claimed since stays in the
 * index, and a search from the beginning passes over all of it.
 */
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

/** Lanes that are remembered at most; then all are searched from the beginning again. */
const MAX_LOWS = 100_000;

/** After this the database does not take what was learnt for true. */
const VOID_AFTER_MS = 30_000;

/** No search may begin after the beginning. */
const UNKNOWN: Low = { low: -1, fullAt: -1 };

export function createLows(): Lows {
  const lowByLane = new Map<number, Low>();

  function of(lanes: readonly number[]): readonly [Buffer, Buffer] {
    const lows = lanes.map((lane) => lowByLane.get(lane) ?? UNKNOWN);
    return [int8Array(lows.map(({ low }) => low)), int8Array(lows.map(({ fullAt }) => fullAt))];
  }

  return {
    learn: (lane, { low, isFull, at }): void => {
      if (lowByLane.size >= MAX_LOWS && !lowByLane.has(lane)) lowByLane.clear();
      const before = lowByLane.get(lane);
      if (isFull || before !== undefined) lowByLane.set(lane, { low, fullAt: isFull ? at : (before?.fullAt ?? -1) });
    },
    of,
    all: () => {
      const newest = [...lowByLane.values()].reduce((latest, { fullAt }) => Math.max(latest, fullAt), -1);
      const lanes = [...lowByLane].filter(([, { fullAt }]) => newest - fullAt < VOID_AFTER_MS).map(([lane]) => lane);
      return [int4Array(lanes), ...of(lanes)];
    },
  };
}
