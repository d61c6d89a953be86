// GET /api/stats: the counters, all of one moment, those of each source, and what callers hold of the server meanwhile.

import { type Counts, type SourceCounts, totalCounts } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { faultAnswer } from "./refuse.js";

/** What callers hold of the process that listens. */
export interface HeldByCallers {
  readonly connections: number;
  /** Requests that are being read or wait for their answer. */
  readonly requests: number;
  /** Those of them whose body is still arriving. */
  readonly reading: number;
  /** What has been read of their bodies. */
  readonly bytes: number;
  /** What of it came without a known key. */
  readonly keylessBytes: number;
}

/**
 * Answers core's `Counts`, `sources`, those of each, and `callers`, null where that is not known; the law of the counters
 * holds in every answer.
 */
export async function showStats(relay: Pick<Relay, "usage">, callers: HeldByCallers | undefined): Promise<Answer> {
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

function describeHeld({ connections, requests, reading, bytes, keylessBytes }: HeldByCallers): object {
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
