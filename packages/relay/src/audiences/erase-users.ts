// Carries out requests about users in the sets of an audience, the oldest first (decision: erasure). Each request that
// was carried out is recorded in the audience, so that any process can continue; to carry out a request twice does no
// harm.

import type { AudienceRecord, DeletionRecord } from "@postrider/core";
import {
  rangeEndsAt,
  erasedUpTo,
  neededSets,
  recordErased,
  setPrefix,
  uploadedSets,
  type RangeEnd,
  type MovedRangeEnd,
} from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { ERASED_AT_ONCE, MAX_RACES } from "../limits.js";
import type { AudienceStorage, EraseFault } from "./audience-storage.js";
import { latestRequestNumber, requestsWithin, usersOfDeletion } from "./requests.js";
import type { SetTask } from "./sync-task.js";
import { snapshotPages } from "./pages.js";

/** Carries out in an audience all requests that were made until now; answers the new record of the audience. */
export async function eraseUsers(task: SetTask, key: string): Promise<Result<AudienceRecord, EraseFault>> {
  const upTo = await latestRequestNumber(task.storage);
  if (upTo.isErr()) return err(upTo.error);
  for (let race = 0; race < MAX_RACES; race += 1) {
    const found = await task.storage.records.find(key);
    if (found.isErr()) return err(found.error);
    if (found.value === undefined) return err({ code: "unknown-audience" });
    const outcome = await carryOutUpTo(task, found.value, upTo.value);
    if (outcome.isErr() || outcome.value !== "changed") return outcome as Result<AudienceRecord, EraseFault>;
  }
  return err({ code: "busy" });
}

/** Removes users from one set, some at a time; answers how many were in it. */
export async function eraseFromSet(
  { storage, work }: SetTask,
  set: string,
  userIds: readonly string[],
): Promise<Result<number, EraseFault>> {
  let erased = 0;
  for (let at = 0; at < userIds.length; at += ERASED_AT_ONCE) {
    if (!work.shouldContinue()) return err({ code: "stopped" });
    const slice = userIds.slice(at, at + ERASED_AT_ONCE);
    const removed = await storage.ask((audiences) => audiences.erase(set, slice));
    if (removed.isErr()) return err(removed.error);
    erased += removed.value;
    await work.yieldIfLong();
  }
  return ok(erased);
}

/** The record afterwards; `changed` if another process has changed the sets that the record names. */
type CarryOutResult = Result<AudienceRecord | "changed", EraseFault>;

async function carryOutUpTo(task: SetTask, record: AudienceRecord, upTo: number): Promise<CarryOutResult> {
  if (erasedUpTo(record) >= upTo) return ok(record);
  const requests = await requestsWithin(task.storage, { after: erasedUpTo(record), upTo });
  if (requests.isErr()) return err(requests.error);
  let latest = record;
  for (const request of requests.value) {
    const outcome = await carryOut(task, latest, request);
    if (outcome.isErr() || outcome.value === "changed") return outcome;
    latest = outcome.value;
  }
  return recordProgress(task.storage, latest, { number: upTo, movedEnds: [] });
}

async function carryOut(task: SetTask, record: AudienceRecord, request: DeletionRecord): Promise<CarryOutResult> {
  const users = await usersOfDeletion(task.storage, request.id);
  const all = await task.storage.ask((audiences) => audiences.sets(setPrefix(record.key)));
  if (users.isErr()) return err(users.error);
  if (all.isErr()) return err(all.error);
  for (const set of uploadedSets(record, all.value)) {
    const erased = await eraseFromSet(task, set, users.value);
    if (erased.isErr()) return err(erased.error);
  }
  const movedEnds: MovedRangeEnd[] = [];
  for (const rangeEnd of rangeEndsAt(record, new Set(users.value))) {
    const moved = await moveRangeEnd(task, rangeEnd);
    if (moved.isErr()) return err(moved.error);
    movedEnds.push(moved.value);
  }
  return recordProgress(task.storage, record, { number: request.number, movedEnds });
}

interface ErasedRequest {
  readonly number: number;
  readonly movedEnds: readonly MovedRangeEnd[];
}

/** Records that a request was carried out, if the record still names the sets that were searched. */
async function recordProgress(
  storage: AudienceStorage,
  record: AudienceRecord,
  { number, movedEnds }: ErasedRequest,
): Promise<CarryOutResult> {
  const changed = await storage.change<{ readonly code: "changed" }>({
    key: record.key,
    known: record,
    decide: (stored) =>
      namesSameSets(stored, record) ? ok(recordErased(stored, number, movedEnds)) : err({ code: "changed" }),
  });
  if (changed.isOk()) return ok(changed.value);
  const { error: fault } = changed;
  return fault.code === "changed" ? ok("changed") : err(fault);
}

/** True if the stored record needs no other sets than `record`, and destinations were told the same. */
function namesSameSets(stored: AudienceRecord, record: AudienceRecord): boolean {
  const searchedSets = neededSets(record);
  const areSearched = [...neededSets(stored)].every((set) => searchedSets.has(set));
  return areSearched && JSON.stringify(stored.told) === JSON.stringify(record.told);
}

/**
 * Finds a new end for a range whose end is a deleted user: the last member before that user, in the sets on both
 * sides of the end. No member is between the old end and the new one, so the range covers the same members.
 */
async function moveRangeEnd(task: SetTask, rangeEnd: RangeEnd): Promise<Result<MovedRangeEnd, EraseFault>> {
  let to: string | null = null;
  for (const set of rangeEnd.sets) {
    const userId = await lastUserBefore(task, set, rangeEnd);
    if (userId.isErr()) return err(userId.error);
    if (userId.value !== null && (to === null || userId.value > to)) to = userId.value;
  }
  return ok({ ...rangeEnd, to });
}

/**
 * The last member of a range before its end, in one set. Reads the whole range; this happens rarely, since few users
 * are ends.
 */
async function lastUserBefore(
  { storage, work }: SetTask,
  set: string,
  { after, upTo }: RangeEnd,
): Promise<Result<string | null, EraseFault>> {
  const pages = snapshotPages(storage, [{ set, upTo: null }], after);
  let userId: string | null = null;
  for (;;) {
    if (!work.shouldContinue()) return err({ code: "stopped" });
    const page = await pages();
    if (page.isErr()) return err(page.error);
    const members = page.value.filter((member) => member.userId < upTo);
    userId = members.at(-1)?.userId ?? userId;
    // The set ends here, or the page reaches the end of the range.
    if (members.length < Math.max(1, page.value.length)) return ok(userId);
    await work.yieldIfLong();
  }
}
