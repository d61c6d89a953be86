// Brings forward deliveries whose due time is too far in the future. A call scans the whole lane; it is rare, since it
// is made only after the clock was set back.

import type { PullInRequest } from "@postrider/core";
import type { Contents } from "./contents.js";

export function pullIn(contents: Contents, { lane, dueAfter, dueAt, limit }: PullInRequest): number {
  const queue = contents.lanes.get(lane)?.queue;
  if (queue === undefined) return 0;
  const late = queue.members().filter((delivery) => delivery.at > dueAfter);
  const pulled = late.slice(0, limit);
  for (const delivery of pulled) {
    queue.remove(delivery);
    delivery.at = dueAt;
    queue.add(delivery);
  }
  if (pulled.length > 0) contents.changes.note(lane);
  return pulled.length;
}
