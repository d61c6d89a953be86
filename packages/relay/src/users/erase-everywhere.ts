// Erases the users of a request from all audiences, twice: before destinations are notified, and before the request is finished,
// since uploads that began before it may have ended in between (decision: erasure). Audiences may be in another store than the
// request, so the progress of each is in its record. Stores the notices in between (spec, webhook destination §1 and §6).

import type { AudienceRecord, DeletionRecord, EpochMs, Clock } from "@postrider/core";
import {
  erasedUpTo,
  isErasedFrom,
  setPrefix,
  unusedSets,
  encodeMessage,
  deleteMessageOf,
  type NoticeTarget,
  noticeId,
  noticeTargetsOf,
} from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { dropUnusedSets, type SetTask } from "../audiences/sync-task.js";
import { eraseUsers } from "../audiences/erase-users.js";
import type { EraseFault, AudienceStorage } from "../audiences/audience-storage.js";
import type { StoreFault } from "../fault.js";
import { createLongWork } from "../loop.js";
import type { Draft } from "../intake/reserve.js";
import { NOTICES_PER_COMMIT } from "../limits.js";
import { untilDone } from "../maintenance/slices.js";
import type { MessageQueue } from "../intake/enqueue.js";
import type { EmitEvent } from "../relay-event.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { AskDeletions } from "../commits/storage.js";

/** Needed to finish a request. */
export interface FinishTask {
  readonly clock: Clock;
  readonly ask: AskDeletions;
  readonly emit: EmitEvent;
}

/** Needed to purge bodies. */
export interface PurgeTask extends FinishTask {
  readonly shouldContinue: () => boolean;
}

/** Needed to erase users from audiences. */
export interface EraseTask {
  readonly clock: Clock;
  readonly shouldContinue: () => boolean;
  /** Absent if this relay has no audiences. */
  readonly audiences?: AudienceStorage;
}

/** Needed to store notices. */
export interface NotifyTask {
  readonly clock: Clock;
  readonly shouldContinue: () => boolean;
  readonly settings: SettingsInForce;
  readonly queue: MessageQueue;
}

/** Needed for all steps of a request. */
export interface DeletionTask extends PurgeTask, EraseTask, NotifyTask, FinishTask {}

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
  const dropped = await forEachAudience(task, async (erasing, record) => {
    if (!isErasedFrom(record, request)) return ok(false);
    await dropUnusedSets(erasing, record);
    const remaining = await audiences.ask((store) => store.sets(setPrefix(record.key)));
    return remaining.map((sets) => unusedSets(record, sets).length === 0);
  });
  if (dropped.isErr() || !dropped.value) return dropped;
  return audiences.ask((store) => store.scrub());
}

type Work = (erasing: SetTask, record: AudienceRecord) => Promise<Result<boolean, StoreFault>>;

/** Does the work for each audience. Returns true if the work answered true for all audiences. */
async function forEachAudience(
  { clock, audiences, shouldContinue }: EraseTask,
  work: Work,
): Promise<Result<boolean, StoreFault>> {
  if (audiences === undefined) return ok(true);
  const records = await audiences.records.list();
  if (records.isErr()) return err(records.error);
  const erasing = { storage: audiences, work: createLongWork(clock, shouldContinue) };
  let isAll = true;
  for (const record of records.value) {
    const result = await work(erasing, record);
    if (result.isErr()) return err(result.error);
    isAll &&= result.value;
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

/**
 * Stores notices step by step, in each commit those of some users with the progress of the request. Returns whether the
 * notices of all users of the request are stored.
 */
export function storeNotices(task: NotifyTask, record: DeletionRecord): Promise<Result<boolean, StoreFault>> {
  let { notified } = record;
  return untilDone(
    task.clock,
    async () => {
      const result = await notifySome(task, { ...record, notified });
      return result.map((users) => {
        notified = users;
        return notified >= record.users;
      });
    },
    task.shouldContinue,
  );
}

/** Stores the notices of the next users. Returns how many users of the request have their notices afterwards. */
async function notifySome(
  { clock, settings, queue }: Omit<NotifyTask, "shouldContinue">,
  record: DeletionRecord,
): Promise<Result<number, StoreFault>> {
  const notices = noticeTargetsOf(record.sources, settings.workspace());
  const users = Math.min(record.users, record.notified + usersAtOnce(notices, record.users));
  const drafts = writeNotices({ ...record, users }, notices, clock.wall());
  const result = await queue.enqueue(drafts, { notified: [{ deletion: record.id, users }] });
  return result.map(() => users);
}

/** The number of users whose notices fit one commit. If no destination gets a notice, all users are done at once. */
function usersAtOnce(notices: readonly NoticeTarget[], all: number): number {
  const deliveries = notices.reduce((sum, notice) => sum + notice.destinations.length, 0);
  return deliveries === 0 ? all : Math.max(1, Math.floor(NOTICES_PER_COMMIT / deliveries));
}

/** Writes the notices of the users from `notified` up to `users`. */
function writeNotices(
  { id, userIds, notified, users, requestedAt }: DeletionRecord,
  notices: readonly NoticeTarget[],
  now: EpochMs,
): readonly Draft[] {
  return userIds.slice(notified, users).flatMap((userId, index) => {
    const body = encodeMessage(deleteMessageOf(userId, requestedAt));
    const messageId = noticeId(id, notified + index);
    return notices.map(({ source, destinations }) => ({
      message: { source, messageId, type: "delete", receivedAt: now, deletion: id, body, filtered: [] },
      destinations,
    }));
  });
}
