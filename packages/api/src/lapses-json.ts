// The shape of lapses in an answer: claims of a delivery that were not settled before their lease ended.

import type { Lapses } from "@postrider/core";
import { formatTimestamp, lapsesInWords } from "@postrider/core/engine";
import { component, instantSchema, integerSchema, orNull, type SchemaOf, textSchema } from "./contract/json-schema.js";

/** Lapses in an answer. All but `count` is of the latest. `inWords` is a sentence or two for people. */
export interface LapsesJson {
  readonly count: number;
  readonly process: string;
  readonly leaseUntil: string;
  readonly takenAt: string;
  readonly takenBy: string | null;
  readonly inWords: string;
}

export const LAPSES: SchemaOf<LapsesJson> = component<LapsesJson>("Lapses", {
  count: integerSchema({ minimum: 1 }),
  process: textSchema(),
  leaseUntil: instantSchema(),
  takenAt: instantSchema(),
  takenBy: orNull(textSchema()),
  inWords: textSchema(),
});

/** The JSON of lapses; null if there are none. */
export function describeLapses(lapses: Lapses | undefined): LapsesJson | null {
  if (lapses === undefined) return null;
  return {
    count: lapses.count,
    process: lapses.process,
    leaseUntil: formatTimestamp(lapses.leaseUntil),
    takenAt: formatTimestamp(lapses.takenAt),
    takenBy: lapses.takenBy ?? null,
    inWords: lapsesInWords(lapses),
  };
}
