// GET /api/stats: the counters, all of one moment.

import { type Answer, jsonAnswer } from "@postrider/ingest";
import type { Relay } from "@postrider/relay";
import { faultAnswer } from "./refuse.js";

/** Answers core's `Counts`; the law of the counters holds in every answer. */
export async function showStats(relay: Pick<Relay, "stats">): Promise<Answer> {
  return relay.stats().match(
    (counts) =>
      jsonAnswer(200, {
        accepted: counts.accepted,
        filtered: counts.filtered,
        waiting: counts.waiting,
        claimed: counts.claimed,
        delivered: counts.delivered,
        dead: counts.dead,
        refused: counts.refused,
        duplicates: counts.duplicates,
        suppressed: counts.suppressed,
        shed: counts.shed,
      }),
    faultAnswer,
  );
}
