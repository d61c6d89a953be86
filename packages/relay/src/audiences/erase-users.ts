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
import { lastRequest, requestsWithin, usersOfDeletion } from "./requests.js";
import type { SetTask } from "./sync-task.js";
import { snapshotPages } from "./pages.js";

/** Carries out in an audience all requests that were made until now; answers the new record of the audience. */
export async function eraseUsers(task: SetTask, key: string): Promise<Result<AudienceRecord, EraseFault>> {
  const last = await lastRequest(task.storage);
  if (last.isErr()) return err(last.error);
  for (let race = 0; race < MAX_RACES; race += 1) {
    const found = await task.storage.records.find(key);
    if (found.isErr()) return err(found.error);
    if (found.value === undefined) return err({ code: "unknown-audience" });
    const carried = await carryOutUpTo(task, found.value, last.value);
    if (carried.isErr() || carried.value !== "changed") return carried as Result<AudienceRecord, EraseFault>;
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
    const gone = await storage.ask((audiences) => audiences.erase(set, slice));
    if (gone.isErr()) return err(gone.error);
    erased += gone.value;
    await work.yieldIfLong();
  }
  return ok(erased);
}

/** The record afterwards; `changed` if another process has changed the sets that the record names. */
type Carried = Result<AudienceRecord | "changed", EraseFault>;

async function carryOutUpTo(task: SetTask, record: AudienceRecord, last: number): Promise<Carried> {
  if (erasedUpTo(record) >= last) return ok(record);
  const requests = await requestsWithin(task.storage, { after: erasedUpTo(record), upTo: last });
  if (requests.isErr()) return err(requests.error);
  let known = record;
  for (const request of requests.value) {
    const carried = await carryOut(task, known, request);
    if (carried.isErr() || carried.value === "changed") return carried;
    known = carried.value;
  }
  return recordProgress(task.storage, known, { number: last, moved: [] });
}

async function carryOut(task: SetTask, record: AudienceRecord, request: DeletionRecord): Promise<Carried> {
  const [users, all] = [
    await usersOfDeletion(task.storage, request.id),
    await task.storage.ask((audiences) => audiences.sets(setPrefix(record.key))),
  ];
  if (users.isErr()) return err(users.error);
  if (all.isErr()) return err(all.error);
  for (const set of uploadedSets(record, all.value)) {
    const erased = await eraseFromSet(task, set, users.value);
    if (erased.isErr()) return err(erased.error);
  }
  const moved: ErasedRequest["moved"][number][] = [];
  for (const bound of rangeEndsAt(record, new Set(users.value))) {
    const found = await moveBound(task, bound);
    if (found.isErr()) return err(found.error);
    moved.push(found.value);
  }
  return recordProgress(task.storage, record, { number: request.number, moved });
}

interface ErasedRequest {
  readonly number: number;
  readonly moved: Parameters<typeof recordErased>[2];
}

/** Records that a request was carried out, if the record still names the sets that were searched. */
async function recordProgress(
  storage: AudienceStorage,
  record: AudienceRecord,
  { number, moved }: ErasedRequest,
): Promise<Carried> {
  const changed = await storage.change<{ readonly code: "changed" }>({
    key: record.key,
    known: record,
    decide: (found) =>
      namesTheSame(found, record) ? ok(recordErased(found, number, moved)) : err({ code: "changed" }),
  });
  if (changed.isOk()) return ok(changed.value);
  const { error: fault } = changed;
  return fault.code === "changed" ? ok("changed") : err(fault);
}

function namesTheSame(found: AudienceRecord, record: AudienceRecord): boolean {
  const known = neededSets(record);
  const isKnown = [...neededSets(found)].every((set) => known.has(set));
  return isKnown && JSON.stringify(found.told) === JSON.stringify(record.told);
}

/**
 * Finds a new bound for a range whose bound is a deleted user: the last member before that user, in the sets on both
 * sides of the bound. No member is between the old bound and the new one, so the range covers the same members.
 */
async function moveBound(task: SetTask, bound: RangeEnd): Promise<Result<MovedRangeEnd, EraseFault>> {
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
