// Merges the runs of a sync into one set: a limited number at a time, in several passes if necessary (decision:
// audiences). Runs are dropped as soon as they are merged, so that the store holds little more than two copies of the
// members.

import { setName } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { SyncFault } from "./audiences.js";
import type { SortedRun } from "./collect.js";
import { dropSets } from "./drop-sets.js";
import { mergeInto, type MergeInput } from "./merge.js";
import { setPages } from "./pages.js";
import type { SyncLease } from "./sync-lease.js";
import type { CollectTask, MergeTask } from "./sync-task.js";

/**
 * Merges the runs into the set of all members. A single run already is that set. Without runs, answers a set that was
 * never written, and so is empty.
 */
export async function mergeRuns(task: CollectTask, runs: readonly SortedRun[]): Promise<Result<SortedRun, SyncFault>> {
  let left = runs;
  let made = runs.length;
  while (left.length > 1) {
    const merged = await mergePass(task, left, made);
    if (merged.isErr()) return err(merged.error);
    left = merged.value;
    made += left.length;
  }
  return ok(left[0] ?? { set: runSet(task.lease, 0), members: 0 });
}

/**
 * Does one pass: merges groups of neighbouring runs, so that the order of the runs stays the order in which their
 * members were given. `made` is the number of runs that already have names.
 */
async function mergePass(
  task: CollectTask,
  runs: readonly SortedRun[],
  made: number,
): Promise<Result<readonly SortedRun[], SyncFault>> {
  const onMerged = createCounter(task.progress, runs);
  const merged: SortedRun[] = [];
  const atOnce = Math.max(2, task.bounds.mergeRuns);
  for (let first = 0; first < runs.length; first += atOnce) {
    const group = runs.slice(first, first + atOnce);
    const set = runSet(task.lease, made + merged.length);
    const one = group.length === 1 ? ok(group) : await mergeGroup(task, group, { set, onMerged });
    if (one.isErr()) return err(one.error);
    merged.push(...one.value);
  }
  return ok(merged);
}

async function mergeGroup(
  task: MergeTask,
  group: readonly SortedRun[],
  into: Omit<MergeInput, "lists">,
): Promise<Result<readonly SortedRun[], SyncFault>> {
  const sets = group.map((run) => run.set);
  const members = await mergeInto(task, { ...into, lists: sets.map((set) => setPages(task.storage, set)) });
  if (members.isOk()) await dropSets(task, sets);
  return members.map((count) => [{ set: into.set, members: count }]);
}

/** Returns a function that reports the progress of a pass over these runs. */
function createCounter(progress: CollectTask["progress"], runs: readonly SortedRun[]): (members: number) => void {
  const total = runs.reduce((sum, run) => sum + run.members, 0);
  let done = 0;
  return (members): void => {
    done += members;
    progress({ phase: "merging", done, total });
  };
}

function runSet(lease: SyncLease, run: number): string {
  const { key, syncs } = lease.record();
  return setName({ key, sync: syncs, run });
}
