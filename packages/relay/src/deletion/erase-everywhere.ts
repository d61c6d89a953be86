// Carries a request out in all audiences, twice: before destinations are notified, and before the request is finished,
// since uploads that began before the request may have ended in between (decision: erasure). Audiences may be in another
// store than the request, so the progress of each audience is in its record.

import type { AudienceRecord } from "@postrider/core";
import { erasedUpTo, isErasedFrom, setPrefix, unusedSets } from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { dropUnusedSets } from "../audience/drop-sets.js";
import { eraseUsers } from "../audience/erase-users.js";
import type { EraseFault } from "../audience/erase-fault.js";
import { createLongWork } from "../audience/long-work.js";
import type { SetTask } from "../audience/sync-task.js";
import type { StoreFault } from "../fault.js";
import type { EraseTask } from "./task.js";

/**
 * Carries out the request with the number `request` in all audiences. Returns false if an audience has to be tried
 * again later.
 */
export async function eraseEverywhere(task: EraseTask, request: number): Promise<Result<boolean, StoreFault>> {
  return forEachAudience(task, async (erasing, record) => {
    if (erasedUpTo(record) >= request) return ok(true);
    const erased = await eraseUsers(erasing, record.key);
    return erased.isOk() ? ok(true) : orLater(erased.error);
  });
}

/**
 * Drops unused sets, and answers whether no data of the users of the request is left in any audience or in the files of
 * the audience store.
 */
export async function isLeftNowhere(task: EraseTask, request: number): Promise<Result<boolean, StoreFault>> {
  const { audiences } = task;
  if (audiences === undefined) return ok(true);
  const gone = await forEachAudience(task, async (erasing, record) => {
    if (!isErasedFrom(record, request)) return ok(false);
    await dropUnusedSets(erasing, record);
    const left = await audiences.ask((store) => store.sets(setPrefix(record.key)));
    return left.map((sets) => unusedSets(record, sets).length === 0);
  });
  if (gone.isErr() || !gone.value) return gone;
  return audiences.ask((store) => store.scrub());
}

type Work = (erasing: SetTask, record: AudienceRecord) => Promise<Result<boolean, StoreFault>>;

/** Does the work for each audience. Returns true if the work answered true for all audiences. */
async function forEachAudience(
  { clock, audiences, shouldContinue }: EraseTask,
  work: Work,
): Promise<Result<boolean, StoreFault>> {
  if (audiences === undefined) return ok(true);
  const records = await audiences.ask((store) => store.list());
  if (records.isErr()) return err(records.error);
  const erasing = { storage: audiences, work: createLongWork(clock, shouldContinue) };
  let isAll = true;
  for (const record of records.value) {
    const done = await work(erasing, record);
    if (done.isErr()) return err(done.error);
    isAll &&= done.value;
  }
  return ok(isAll);
}

/**
 * If another process is changing an audience, the work is tried again later; an audience that does not exist has no
 * members.
 */
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
