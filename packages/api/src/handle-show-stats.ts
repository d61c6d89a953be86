// GET /api/stats: the counters of each source and their sums, read at one moment; and the connections, requests and
// memory that callers use.

import type { Counts, SourceCounts } from "@postrider/core";
import { totalCounts } from "@postrider/core/engine";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
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

/**
 * Answers core's `Counts` of all sources together; `sources`, the counts of each source; and `callers`, null if unknown. The
 * law of the counters holds in every answer.
 */
export async function handleShowStats(relay: Pick<Relay, "usage">, callers: CallerUsage | undefined): Promise<Answer> {
  return relay.usage().match(
    (sources) =>
      jsonAnswer(200, {
        ...describeCounts(totalCounts(sources)),
        sources: sources.map(describeSource),
        callers: callers === undefined ? null : describeHeld(callers),
      }),
    faultAnswer,
  );
}

function describeHeld({ connections, requests, reading, bytes, keylessBytes }: CallerUsage): object {
  return { connections, requests, reading, bytes, keylessBytes };
}

function describeSource(counts: SourceCounts): object {
  return { source: counts.source, ...describeCounts(counts) };
}

function describeCounts(counts: Counts): object {
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
