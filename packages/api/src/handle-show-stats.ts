// GET /api/stats: the counters of each source and their sums, read at one moment; and the connections, requests and
// memory that callers use.

import type { Counts, SourceCounts } from "@postrider/core";
import { totalCounts } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import {
  component,
  integerSchema,
  listSchema,
  type Of,
  orNull,
  type Properties,
  textSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { faultAnswer } from "./refuse.js";

/** The connections, requests and memory of the listening process that callers use now. */
export interface CallerUsage {
  readonly connections: number;
  /** Requests that are being read or wait for their answer. */
  readonly requests: number;
  /** Requests whose body is still arriving; a part of `requests`. */
  readonly reading: number;
  /** Bytes of bodies of requests that are in memory. */
  readonly bytes: number;
  /** The part of `bytes` that belongs to requests whose head shows no known key. */
  readonly keylessBytes: number;
}

const COUNTS: Properties<Counts> = {
  accepted: integerSchema(),
  filtered: integerSchema(),
  waiting: integerSchema(),
  claimed: integerSchema(),
  delivered: integerSchema(),
  dead: integerSchema(),
  received: integerSchema(),
  refused: integerSchema(),
  duplicates: integerSchema(),
  suppressed: integerSchema(),
  shed: integerSchema(),
};

const SOURCE_COUNTS = component("SourceCounts", { source: textSchema(), ...COUNTS });

const CALLERS = component<CallerUsage>("CallerUsage", {
  connections: integerSchema(),
  requests: integerSchema(),
  reading: integerSchema(),
  bytes: integerSchema(),
  keylessBytes: integerSchema(),
});

const STATS = component("Stats", { ...COUNTS, sources: listSchema(SOURCE_COUNTS), callers: orNull(CALLERS) });

export const SHOW_STATS: ApiOperation = {
  id: "showStats",
  summary: "Shows the counters of all calls and deliveries, and what callers use now.",
  readBy: "viewer",
  answer: { status: 200, description: "the counters", schema: STATS },
  refusals: ["store-unavailable"],
};

/**
 * Answers core's `Counts` of all sources together; `sources`, the counts of each source; and `callers`, null if unknown. The
 * law of the counters holds in every answer.
 */
export async function handleShowStats(relay: Pick<Relay, "usage">, callers: CallerUsage | undefined): Promise<Answer> {
  return relay.usage().match((sources) => {
    const stats: Of<typeof STATS> = {
      ...describeCounts(totalCounts(sources)),
      sources: sources.map(describeSource),
      callers: callers === undefined ? null : describeHeld(callers),
    };
    return jsonAnswer(200, stats);
  }, faultAnswer);
}

function describeHeld({ connections, requests, reading, bytes, keylessBytes }: CallerUsage): CallerUsage {
  return { connections, requests, reading, bytes, keylessBytes };
}

function describeSource(counts: SourceCounts): Of<typeof SOURCE_COUNTS> {
  return { source: counts.source, ...describeCounts(counts) };
}

function describeCounts(counts: Counts): Counts {
  return {
    accepted: counts.accepted,
    filtered: counts.filtered,
    waiting: counts.waiting,
    claimed: counts.claimed,
    delivered: counts.delivered,
    dead: counts.dead,
    received: counts.received,
    refused: counts.refused,
    duplicates: counts.duplicates,
    suppressed: counts.suppressed,
    shed: counts.shed,
  };
}
