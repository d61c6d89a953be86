// Enqueues the notices of a deletion request. One commit stores the notices of some users with their deliveries and
// with the progress of the request; then they are delivered like all messages (spec, webhook destination §1 and §6;
// decision: deletion).

import type { DeletionRecord, EpochMs } from "@postrider/core";
import { encodeMessage, deleteMessageOf, type NoticeTarget, noticeId, noticeTargetsOf } from "@postrider/core/engine";
import type { Result } from "neverthrow";
import type { Draft } from "../intake/reserve.js";
import { NOTICES_PER_COMMIT } from "../limits.js";
import type { StoreFault } from "../fault.js";
import { untilDone } from "../maintenance/until-done.js";
import type { NotifyTask } from "./task.js";

/** Stores notices step by step. Returns whether the notices of all users of the request are stored. */
export function storeNotices(task: NotifyTask, record: DeletionRecord): Promise<Result<boolean, StoreFault>> {
  let { notified } = record;
  return untilDone(
    task.clock,
    async () => {
      const stored = await notifySome(task, { ...record, notified });
      return stored.map((users) => {
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
  const stored = await queue.enqueue(drafts, { notified: [{ deletion: record.id, users }] });
  return stored.map(() => users);
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
