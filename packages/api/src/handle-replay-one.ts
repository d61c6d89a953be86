// POST /api/deliveries/ID/replay: delivers the message of one delivery again.

import type { DeliveryId } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { objectSchema, type Of, textSchema } from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { faultAnswer } from "./refuse.js";

const REPLAYED = objectSchema({ id: textSchema() });

export const REPLAY_ONE: ApiOperation = {
  id: "replayDelivery",
  summary: "Delivers the message of one delivery again.",
  answer: { status: 202, description: "the id of the new delivery", schema: REPLAYED },
  refusals: ["not-found", "not-finished", "purged", "destination-removed", "store-unavailable"],
};

/** Answers `{ id }`, the id of the new delivery. */
export async function handleReplayOne(relay: Pick<Relay, "replay">, id: DeliveryId): Promise<Answer> {
  return relay
    .replay(id)
    .match((replayed) => jsonAnswer(202, { id: replayed } satisfies Of<typeof REPLAYED>), faultAnswer);
}
