// Tells which lanes of a memory store have changed, from the number of a change on.

import { type ChangedLanes, type LaneChanges, laneMark } from "@postrider/core";
import type { Contents } from "./contents.js";
import type { RunAsPromise } from "./deletions/create-deletions.js";
import { showLane } from "./lanes.js";

export function createMemoryLaneChanges(contents: Contents, answer: RunAsPromise): LaneChanges {
  const { changes } = contents;

  function page(after: number, limit: number): ChangedLanes | undefined {
    const changed = changes.after(after);
    if (changed === undefined) return undefined;
    const shown = changed.slice(0, limit);
    const [, last] = shown.at(-1) ?? [undefined, after];
    return {
      lanes: shown.flatMap(([id]) => showLane(id, contents.lanes.get(id))),
      emptied: shown.map(([id]) => id).filter((id) => !contents.lanes.has(id)),
      mark: laneMark(String(last)),
      more: changed.length > limit,
    };
  }

  return {
    read: ({ after, limit }) =>
      answer(() => (after === undefined ? page(changes.last(), 0) : page(numberOf(after), limit))),
  };
}

/** NaN for a mark that this store has not created: no change is known after it. */
function numberOf(mark: string): number {
  return /^\d{1,15}$/u.test(mark) ? Number(mark) : NaN;
}
