// Replays a finished delivery: stores a new delivery of the same message that points at the old one.

import type { DeliveryId, EpochMs, Lease, Replay } from "@postrider/core";
import { addDelivery } from "./add-delivery.js";
import type { Contents } from "./contents.js";
import { isErased } from "./deletions/erasure.js";

export function replay(contents: Contents, again: Replay, lease: Lease, now: EpochMs): DeliveryId | undefined {
  const old = contents.deliveries.get(again.of);
  if (old === undefined || old.state === "waiting" || old.state === "claimed") return undefined;
  if (isErased(contents, old)) return undefined;
  old.wasReplayed = true;
  const { message, destination, id } = old;
  return addDelivery(contents, { message, destination, acceptedAt: now, replayOf: id, start: again.start, lease }, now);
}
