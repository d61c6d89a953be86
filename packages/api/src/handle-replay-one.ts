// POST /api/deliveries/ID/replay: delivers the message of one delivery again.

import type { DeliveryId } from "@postrider/core";
import { type Answer, jsonAnswer } from "@postrider/http";
import type { Relay } from "@postrider/relay";
import { faultAnswer } from "./refuse.js";

/** Answers `{ id }`, the id of the new delivery. */
export async function handleReplayOne(relay: Pick<Relay, "replay">, id: DeliveryId): Promise<Answer> {
  return relay.replay(id).match((replayed) => jsonAnswer(202, { id: replayed }), faultAnswer);
}
