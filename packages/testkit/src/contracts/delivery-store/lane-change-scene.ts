// The operations of cases about changed lanes.

import type { ChangedLanes, DestinationId, LaneChanges, LaneMark, LaneRow } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent } from "../check.js";
import type { Scene } from "./scene.js";

export function changesOf(changes: LaneChanges | undefined): LaneChanges {
  return expectPresent(changes, "the changes of a store that supports `laneChanges`");
}

export function readAfter(scene: Scene, after: LaneMark, limit: number): Promise<ChangedLanes | undefined> {
  return changesOf(scene.store().laneChanges).read({ after, limit });
}

export async function markOfNow(scene: Scene): Promise<LaneMark> {
  const page = await changesOf(scene.store().laneChanges).read({ limit: 0 });
  return expectPresent(page, "the mark of now").mark;
}

export async function changedAfter(scene: Scene, mark: LaneMark): Promise<ChangedLanes> {
  return expectPresent(await readAfter(scene, mark, 1_000), "the changes after a mark of this case");
}

/** The row of the scene's lane in a page of changes; none if it is told to be empty. Fails if the lane is not told once. */
export function mine({ lane }: Scene, { lanes, emptied }: ChangedLanes): readonly LaneRow[] {
  const rows = lanes.filter((row) => row.lane === lane);
  const times = rows.length + emptied.filter((id: DestinationId) => id === lane).length;
  expectEqual(times, 1, `how often a page tells the lane ${lane} that has changed`);
  return rows;
}

/** More pages than the lanes of all cases need. */
const MAX_PAGES = 500;

/** The row of the scene's lane among all lanes; none if it has no deliveries. */
export async function rowOfLane(scene: Scene): Promise<readonly LaneRow[]> {
  let after: DestinationId | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { lanes, more } = await scene.store().lanes({ limit: 1_000, ...defined({ after }) }, scene.now());
    const row = lanes.find((one) => one.lane === scene.lane);
    if (row !== undefined) return [row];
    if (!more) break;
    after = lanes.at(-1)?.lane;
  }
  return [];
}
