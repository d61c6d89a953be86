// Finds a new bound for a range of a snapshot whose bound is the id of a deleted user: the last member before that
// user, in the sets on both sides of the bound. No member is between the old bound and the new one, so the range still
// covers the same members.

import type { RangeEnd, MovedRangeEnd } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import type { EraseFault } from "./erase-fault.js";
import { snapshotPages } from "./pages.js";
import type { SetTask } from "./sync-task.js";

export async function moveBound(task: SetTask, bound: RangeEnd): Promise<Result<MovedRangeEnd, EraseFault>> {
  let to: string | null = null;
  for (const set of bound.sets) {
    const last = await lastBefore(task, set, bound);
    if (last.isErr()) return err(last.error);
    if (last.value !== null && (to === null || last.value > to)) to = last.value;
  }
  return ok({ ...bound, to });
}

/**
 * The last member of a range before its bound, in one set. Reads the whole range; this happens rarely, since few users
 * are bounds.
 */
async function lastBefore(
  { storage, work }: SetTask,
  set: string,
  { after, upTo }: RangeEnd,
): Promise<Result<string | null, EraseFault>> {
  const pages = snapshotPages(storage, [{ set, upTo: null }], after);
  let last: string | null = null;
  for (;;) {
    if (!work.shouldContinue()) return err({ code: "stopped" });
    const page = await pages();
    if (page.isErr()) return err(page.error);
    const before = page.value.filter(({ userId }) => userId < upTo);
    last = before.at(-1)?.userId ?? last;
    if (before.length < Math.max(1, page.value.length)) return ok(last);
    await work.yieldIfLong();
  }
}
