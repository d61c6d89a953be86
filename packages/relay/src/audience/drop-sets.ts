// Removes sets that are not needed. The next clean-up finds again those that cannot be removed now.

import type { AudienceRecord } from "@postrider/core";
import { setPrefix, unusedSets } from "@postrider/core/engine";
import type { SyncTask } from "./sync-task.js";

type Clearing = Pick<SyncTask, "storage" | "yieldIfLong" | "shouldContinue">;

/** Removes these sets, slice by slice. */
export async function dropSets(
  { storage, yieldIfLong, shouldContinue }: Clearing,
  sets: readonly string[],
): Promise<void> {
  for (const set of sets) {
    let isOver = false;
    while (!isOver && shouldContinue()) {
      const dropped = await storage.ask((audiences) => audiences.drop(set));
      isOver = dropped.isErr() || dropped.value;
      await yieldIfLong();
    }
  }
}

/** Removes all sets of an audience that its record does not need. */
export async function dropStrays(clearing: Clearing, record: AudienceRecord): Promise<void> {
  const sets = await clearing.storage.ask((audiences) => audiences.sets(setPrefix(record.key)));
  if (sets.isOk()) await dropSets(clearing, unusedSets(record, sets.value));
}
