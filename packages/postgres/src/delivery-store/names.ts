// Sources and lanes by their numbers. A name gets its number once, in a separate transaction, and keeps it; so numbers may be
// remembered.

import { isAudienceSource, type DestinationId, type SourceId } from "@postrider/core";
import type { Requests } from "../connection/connection.js";
import { textArray } from "../wire/arrays.js";
import { readPlain } from "../wire/read-row.js";

/** Names that are remembered at most; then they are asked for again. */
const MAX_NAMES = 100_000;

/** The numbers of names. */
export interface Names {
  sources(names: readonly SourceId[]): Promise<Numbers>;
  lanes(names: readonly DestinationId[]): Promise<Numbers>;
}

/** The number of a name that was asked for. */
export type Numbers = (name: string) => number;

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
