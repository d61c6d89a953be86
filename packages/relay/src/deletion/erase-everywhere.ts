// Carries a request out in all audiences: before its users' receivers are told, and, since uploads from before it may still
// have come in, once more before it is finished (decision: erasure). Audiences may lie in another store than the request, so
// how far each has come stands in its own record.

import type { AudienceRecord } from "@postrider/core";
import { erasedUpTo, isErasedFrom, setPrefix, unusedSets } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { dropStrays } from "../audience/drop-sets.js";
import { eraseUsers } from "../audience/erase-users.js";
import type { EraseFault, Erasing } from "../audience/erasing.js";
import { createYieldIfLong } from "../audience/sync-task.js";
import type { StoreFault } from "../storage/storage.js";
import type { Task } from "./task.js";

/** Answers false where it could not be done to the end. `request` is its number. */
export async function eraseEverywhere(task: Task, request: number): Promise<Result<boolean, StoreFault>> {
  return forEachAudience(task, async (erasing, record) => {
    if (erasedUpTo(record) >= request) return ok(true);
    const erased = await eraseUsers(erasing, record.key);
    return erased.isOk() ? ok(true) : orLater(erased.error);
  });
}

/** Answers whether nothing of it is left in any audience, nor in the files where they lie. */
export async function isLeftNowhere(task: Task, request: number): Promise<Result<boolean, StoreFault>> {
  const { audiences } = task;
  if (audiences === undefined) return ok(true);
  const gone = await forEachAudience(task, async (erasing, record) => {
    if (!isErasedFrom(record, request)) return ok(false);
    await dropStrays(erasing, record);
    const left = await audiences.ask((store) => store.sets(setPrefix(record.key)));
    return left.map((sets) => unusedSets(record, sets).length === 0);
  });
  if (gone.isErr() || !gone.value) return gone;
  return audiences.ask((store) => store.scrub());
}

type Work = (erasing: Erasing, record: AudienceRecord) => Promise<Result<boolean, StoreFault>>;

/** Answers whether each of them answered true. */
async function forEachAudience(
  { context, audiences, shouldContinue }: Task,
  work: Work,
): Promise<Result<boolean, StoreFault>> {
  if (audiences === undefined) return ok(true);
  const records = await audiences.ask((store) => store.list());
  if (records.isErr()) return err(records.error);
  const erasing = { context, storage: audiences, shouldContinue, yieldIfLong: createYieldIfLong(context.clock) };
  let isAll = true;
  for (const record of records.value) {
    const done = await work(erasing, record);
    if (done.isErr()) return err(done.error);
    isAll &&= done.value;
  }
  return ok(isAll);
}

/** What another process does to an audience just now is tried again, and one that is gone has nobody in it. */
function orLater(fault: EraseFault): Result<boolean, StoreFault> {
  switch (fault.code) {
    case "unknown-audience":
      return ok(true);
    case "stopped":
    case "busy":
      return ok(false);
    case "full":
    case "corrupt":
    case "unavailable":
      return err({ code: fault.code });
  }
}
