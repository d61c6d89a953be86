// Enqueues the notices of a deletion, some users at a time, each with its deliveries and with the progress of the request,
// in one commit. Then they are delivered like all messages (spec, webhook destination §1 and §6; decision: deletion).

import type { DeletionRecord } from "@postrider/core";
import { encodeMessage, mapDeletion, type Notice, noticeId, noticesOf } from "@postrider/core/engine";
import type { Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { enqueue } from "../intake/enqueue.js";
import type { Draft } from "../intake/reserve.js";
import { NOTICES_A_COMMIT } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";
import { untilDone } from "../maintenance/until-done.js";
import type { Task } from "./task.js";

/** Answers whether the notices of all users of the request are stored. */
export function notify(
  { context, deliver, shouldContinue }: Pick<Task, "context" | "deliver" | "shouldContinue">,
  record: DeletionRecord,
): Promise<Result<boolean, StoreFault>> {
  let { notified } = record;
  return untilDone(
    context,
    async () => {
      const told = await notifySome(context, { ...record, notified });
      return told.map((users) => {
        deliver();
        notified = users;
        return notified >= record.users;
      });
    },
    shouldContinue,
  );
}

/** Answers how many users have their notices afterwards. */
async function notifySome(context: RelayContext, record: DeletionRecord): Promise<Result<number, StoreFault>> {
  const notices = noticesOf(record.sources, context.settings.workspace());
  const users = Math.min(record.users, record.notified + usersAtOnce(notices, record.users));
  const drafts = writeNotices(context, { ...record, users }, notices);
  const stored = await enqueue(context, drafts, { notified: [{ deletion: record.id, users }] });
  return stored.map(() => users);
}

/** If no destination gets a notice, all users are done at once. */
function usersAtOnce(notices: readonly Notice[], all: number): number {
  const units = notices.reduce((sum, notice) => sum + notice.destinations.length, 0);
  return units === 0 ? all : Math.max(1, Math.floor(NOTICES_A_COMMIT / units));
}

/** Writes the notices of the users from `notified` up to `users`. */
function writeNotices(
  context: RelayContext,
  { id, userIds, notified, users, requestedAt }: DeletionRecord,
  notices: readonly Notice[],
): readonly Draft[] {
  const now = context.clock.wall();
  return userIds.slice(notified, users).flatMap((userId, index) => {
    const body = encodeMessage(mapDeletion(userId, requestedAt));
    const messageId = noticeId(id, notified + index);
    return notices.map(({ source, destinations }) => ({
      message: { source, messageId, type: "delete", receivedAt: now, deletion: id, body, filtered: [] },
      destinations,
    }));
  });
}
