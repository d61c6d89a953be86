// Counts what a sync changes in its audience, by comparing its members with those of the previous sync. Each user counts
// once, regardless of what destinations know. Reads both sets once, one page of each at a time.

import type { SyncCounts } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { COMPARED_AT_ONCE } from "../limits.js";
import { toRelayFault } from "../fault.js";
import type { SyncFault } from "./audiences.js";
import type { SortedRun } from "./collect.js";
import { createDiff } from "./diff.js";
import { setPages } from "./pages.js";
import type { CollectTask } from "./sync-task.js";

export interface Compared extends SyncCounts {
  /** The number of members after the previous sync. */
  readonly before: number;
}

/** The dependencies of collecting, without the bounds of merges. */
export type CompareTask = Omit<CollectTask, "bounds">;

export async function compareWithBefore(
  { lease, storage, work, progress }: CompareTask,
  { set, members }: SortedRun,
): Promise<Result<Compared, SyncFault>> {
  const past = lease.record().current;
  if (past === undefined) return ok({ before: 0, entered: members, departed: 0, changed: 0 });
  const diff = createDiff(setPages(storage, past), setPages(storage, set));
  const counts = { before: 0, entered: 0, departed: 0, changed: 0 };
  for (let done = 0; ;) {
    if (!work.shouldContinue()) return err({ code: "stopped" });
    const step = await diff(COMPARED_AT_ONCE);
    if (step.isErr()) return err(toRelayFault(step.error));
    const { changes, known, compared, isEnd } = step.value;
    for (const { kind } of changes) counts[kind] += 1;
    counts.before += known;
    done += compared;
    progress({ phase: "comparing", done, total: members });
    if (isEnd) return ok(counts);
    await work.yieldIfLong();
  }
}
