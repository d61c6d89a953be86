// Removes sets that are not needed. A set that cannot be removed now is found again by the next clean-up.

import type { AudienceRecord } from "@postrider/core";
import { setPrefix, unusedSets } from "@postrider/core/engine";
import type { SetTask } from "./sync-task.js";

/** Removes these sets, slice by slice. */
export async function dropSets({ storage, work }: SetTask, sets: readonly string[]): Promise<void> {
  for (const set of sets) {
    let isOver = false;
    while (!isOver && work.shouldContinue()) {
      const dropped = await storage.ask((audiences) => audiences.drop(set));
      isOver = dropped.isErr() || dropped.value;
      await work.yieldIfLong();
    }
  }
}

/** Removes all sets of an audience that its record does not need. */
export async function dropUnusedSets(task: SetTask, record: AudienceRecord): Promise<void> {
  const sets = await task.storage.ask((audiences) => audiences.sets(setPrefix(record.key)));
  if (sets.isOk()) await dropSets(task, unusedSets(record, sets.value));
}
