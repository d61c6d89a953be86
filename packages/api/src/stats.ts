// GET /api/stats: the counters, all of one moment, and those of each source.

import { type Counts, type SourceCounts, totalCounts } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/ingest";
import type { Relay } from "@postrider/relay";
import { faultAnswer } from "./refuse.js";

/** Answers core's `Counts` and `sources`, those of each; the law of the counters holds in every answer. */
export async function showStats(relay: Pick<Relay, "usage">): Promise<Answer> {
  return relay
    .usage()
    .match(
      (sources) => jsonAnswer(200, { ...describeCounts(totalCounts(sources)), sources: sources.map(describeSource) }),
      faultAnswer,
    );
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
