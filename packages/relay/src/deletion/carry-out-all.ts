// Does the next step of each unfinished deletion request, the oldest first, so that a request with many users does not
// delay the others. Of more than `DELETIONS_AT_ONCE` unfinished requests, only the newest get a step.

import type { DeletionId } from "@postrider/core";
import { DELETIONS_AT_ONCE } from "../limits.js";
import type { AskDeletions } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";
import { carryOut, type CarryOutProgress } from "./carry-out.js";
import type { Task } from "./task.js";

/** Returns whether further steps should follow at once. */
export async function carryOutAll(task: Task): Promise<boolean> {
  let isMore = false;
  for (const id of await findUnfinished(task.ask)) {
    if (!task.shouldContinue()) return false;
    const progress = await carryOut(task, id).then((done) => done.match(asItIs, afterFault));
    if (progress === "stop") return false;
    isMore ||= progress === "more";
  }
  return isMore;
}

async function findUnfinished(ask: AskDeletions): Promise<readonly DeletionId[]> {
  const page = await ask((deletions) => deletions.list({ unfinished: true, limit: DELETIONS_AT_ONCE }));
  return page.match(
    ({ deletions }) => deletions.map(({ id }) => id).toReversed(),
    () => [],
  );
}

function asItIs(progress: CarryOutProgress): CarryOutProgress {
  return progress;
}

/** A full store stores no notices, but users of other requests can be purged, which frees space. */
function afterFault({ code }: StoreFault): CarryOutProgress | "stop" {
  return code === "full" ? "later" : "stop";
}
