// Lists the lanes with unfinished deliveries, in pages, ordered by lane id.

import type { DestinationId, LanePage, LanePageRequest, LaneRow } from "@postrider/core";
import type { Contents, StoredLane } from "./contents.js";

export function lanes(contents: Contents, { after, limit }: LanePageRequest): LanePage {
  const behind = [...contents.lanes].filter(([id]) => after === undefined || id > after).sort(byId);
  const rows = behind.slice(0, limit).flatMap(([id, lane]) => showLane(id, lane));
  return { lanes: rows, more: behind.length > limit };
}

function showLane(id: DestinationId, { queue, bytes }: StoredLane): readonly LaneRow[] {
  const first = queue.first();
  return first === undefined ? [] : [{ lane: id, deliveries: queue.size(), bytes, nextDueAt: first.at }];
}

function byId([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
