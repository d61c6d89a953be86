// Lists the lanes with unfinished deliveries, in pages, ordered by lane id.

import { type DestinationId, epochMs, type LanePage, type LanePageRequest, type LaneRow } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Contents, StoredLane } from "./contents.js";

export function lanes(contents: Contents, { after, limit }: LanePageRequest): LanePage {
  const behind = [...contents.lanes].filter(([id]) => after === undefined || id > after).sort(byId);
  const rows = behind.slice(0, limit).flatMap(([id, lane]) => showLane(id, lane));
  return { lanes: rows, more: behind.length > limit };
}

/** The row of a lane; none if it has no unfinished deliveries. */
export function showLane(id: DestinationId, lane: StoredLane | undefined): readonly LaneRow[] {
  const first = lane?.queue.first();
  if (lane === undefined || first === undefined) return [];
  const { queue, firstAttempts, bytes } = lane;
  const tried = firstAttempts.first();
  const firstAttemptAt = tried === undefined ? undefined : epochMs(tried.at);
  return [{ lane: id, deliveries: queue.size(), bytes, nextDueAt: first.at, ...defined({ firstAttemptAt }) }];
}

function byId([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
