// Brings forward what a lane could only hand out after a time that lies too far off. Looks through the whole lane: it is
// asked for after the clock was set back, and at no other time.

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
  return pulled.length;
}
