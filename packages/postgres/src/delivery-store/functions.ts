// Each part of the store needs these to call the SQL functions of its schema: the connection, the numbers of sources and lanes, the places
// of claimed deliveries, and the start of the search of each lane (decision: claims beside dead rows). A name gets its number once, in a
// separate transaction, and keeps it; so numbers may be remembered.

import { isAudienceSource, type DestinationId, type SourceId, type EpochMs } from "@postrider/core";
import type { Requests } from "../connection/requests.js";
import { textArray, int4Array, int8Array } from "../wire/values.js";
import { readTextOrEmpty } from "../wire/read-row.js";
import type { Leased } from "./leased.js";

/** Needed by a part of the store to call the SQL functions. */
export interface Functions {
  readonly connection: Requests;
  readonly names: Names;
  readonly lows: Lows;
  readonly leased: Leased;
  /** The name of the schema as SQL. */
  readonly schema: string;
  readonly bucket: number;
  /** The time of a request: `now`, or null if the clock of the database decides. */
  readonly timeFor: (now: EpochMs) => number | null;
}

/** The numbers of names. */
export interface Names {
  sources(names: readonly SourceId[]): Promise<Numbers>;
  lanes(names: readonly DestinationId[]): Promise<Numbers>;
}

/** Returns the number of one of the names that were asked for. */
export type Numbers = (name: string) => number;

/** The numbers of the names in a commit, and its time. */
export interface CommitContext {
  readonly sourceNumber: Numbers;
  readonly laneNumber: Numbers;
  readonly now: EpochMs;
}

/** The most names that are remembered; beyond that, all are forgotten and asked for again. */
const MAX_NAMES = 100_000;

/** Asks the database for the numbers of names that are not remembered. */
export function createNames({ ask }: Requests, schema: string): Names {
  const [sources, lanes] = [new Map<string, number>(), new Map<string, number>()];

  async function learn(
    numberByName: Map<string, number>,
    names: readonly string[],
    text: string,
    otherValues: (names: readonly string[]) => readonly unknown[],
  ): Promise<Numbers> {
    const missing = [...new Set(names)].filter((name) => !numberByName.has(name));
    if (missing.length > 0) {
      const [row] = await ask(text, [textArray(missing), ...otherValues(missing)]);
      if (numberByName.size + missing.length > MAX_NAMES) numberByName.clear();
      const numbers = readTextOrEmpty(row ?? {}, "ids").split(",");
      for (const [index, name] of missing.entries()) numberByName.set(name, Number(numbers[index]));
    }
    const answer = new Map(names.map((name) => [name, numberByName.get(name) ?? 0]));
    return (name) => answer.get(name) ?? 0;
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
interface SearchResult {
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
  learn(lane: number, result: SearchResult): void;
  /** For each lane, the due time from which it may be searched, and its last search from the beginning; the database judges both. */
  ofLanes(lanes: readonly number[]): readonly [lows: Buffer, fullAt: Buffer];
  /** The lanes with a search from the beginning that may still be trusted, then the result of `ofLanes` for them. */
  ofAllLanes(): readonly [lanes: Buffer, lows: Buffer, fullAt: Buffer];
}

interface Low {
  readonly low: number;
  readonly fullAt: number;
}

/** The most lanes that are remembered; beyond that, all are searched from the beginning again. */
const MAX_LOWS = 100_000;

/** The age after which the database does not trust a start. */
const VOID_AFTER_MS = 30_000;

/** For a lane without a result: its search starts at the beginning. */
const UNKNOWN: Low = { low: -1, fullAt: -1 };

export function createLows(): Lows {
  const lowByLane = new Map<number, Low>();

  function ofLanes(lanes: readonly number[]): readonly [Buffer, Buffer] {
    const lows = lanes.map((lane) => lowByLane.get(lane) ?? UNKNOWN);
    return [int8Array(lows.map(({ low }) => low)), int8Array(lows.map(({ fullAt }) => fullAt))];
  }

  return {
    learn: (lane, { low, isFull, at }): void => {
      if (lowByLane.size >= MAX_LOWS && !lowByLane.has(lane)) lowByLane.clear();
      const fullAt = isFull ? at : lowByLane.get(lane)?.fullAt;
      if (fullAt !== undefined) lowByLane.set(lane, { low, fullAt });
    },
    ofLanes,
    ofAllLanes: () => {
      const newest = [...lowByLane.values()].reduce((latest, { fullAt }) => Math.max(latest, fullAt), -1);
      const lanes = [...lowByLane].filter(([, { fullAt }]) => newest - fullAt < VOID_AFTER_MS).map(([lane]) => lane);
      return [int4Array(lanes), ...ofLanes(lanes)];
    },
  };
}
