// The things that a part of the store needs to call the functions of its schema: the connection, the numbers of sources and lanes,
// and the start of the search of each lane (decision: claims beside dead rows). A name gets its number once, in a separate
// transaction, and keeps it; so numbers may be remembered.

import { isAudienceSource, type DestinationId, type SourceId, type EpochMs } from "@postrider/core";
import type { Requests } from "../connection/requests.js";
import { textArray, int4Array, int8Array } from "../wire/values.js";
import { readPlain } from "../wire/read-row.js";

/** Needed by a part of the store to ask its functions. */
export interface Functions {
  readonly connection: Requests;
  readonly names: Names;
  readonly lows: Lows;
  /** The name of the schema as SQL. */
  readonly schema: string;
  readonly bucket: number;
  /** The time of a request that was given `now`; null if the clock of the database decides. */
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

/** The result of a claim for the search of a lane. */
interface LearntLow {
  /** No waiting delivery of the lane is due before. */
  readonly low: number;
  /** True if the lane was searched from its beginning. */
  readonly isFull: boolean;
  /** The instant of the search, by the clock of the store. */
  readonly at: EpochMs;
}

/**
 * The start of the search of each lane, by the results of claims. While any transaction holds a snapshot, entries that were claimed
 * since stay in the index, and a search from the beginning passes over all of them.
 */
export interface Lows {
  learn(lane: number, learnt: LearntLow): void;
  /** For each lane, the due time from which it may be searched, and its last search from the beginning; the database judges both. */
  of(lanes: readonly number[]): readonly [lows: Buffer, fullAt: Buffer];
  /** The lanes that have had a claim, then the result of `of` for them. */
  all(): readonly [lanes: Buffer, lows: Buffer, fullAt: Buffer];
}

interface Low {
  readonly low: number;
  readonly fullAt: number;
}

/** Lanes that are remembered at most; then all are searched from the beginning again. */
const MAX_LOWS = 100_000;

/** The age after which the database does not trust a start. */
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
