// Finds the requests about users that audiences must carry out, as long as the store still knows the users of a
// request. A store that does not support such requests has none.

import { defined } from "@postrider/core/engine";
import { type DeletionId, type DeletionRecord, effectsOf } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import { DELETIONS_AT_ONCE } from "../limits.js";
import type { StoreFault } from "../fault.js";
import type { AudienceStorage } from "./audience-storage.js";

type DeletionReads = Pick<AudienceStorage, "askDeletions">;

/** A range of request numbers: those after `after`, up to and including `upTo`. */
export interface RequestNumberRange {
  readonly after: number;
  readonly upTo: number;
}

/** The number of the latest request; 0 if there was none. */
export async function latestRequestNumber({ askDeletions }: DeletionReads): Promise<Result<number, StoreFault>> {
  if (askDeletions === undefined) return ok(0);
  const page = await askDeletions((deletions) => deletions.list({ limit: 1 }));
  return page.map(({ deletions }) => deletions[0]?.number ?? 0);
}

/**
 * The requests in a range of numbers that remove data of users, oldest first. Finished requests are left out: the store
 * does not know their users any more.
 */
export async function requestsWithin(
  { askDeletions }: DeletionReads,
  { after, upTo }: RequestNumberRange,
): Promise<Result<readonly DeletionRecord[], StoreFault>> {
  if (askDeletions === undefined || upTo <= after) return ok([]);
  const requests: DeletionRecord[] = [];
  let lastId: DeletionId | undefined;
  // Each page lists the newest first.
  for (;;) {
    const query = { unfinished: true, limit: DELETIONS_AT_ONCE, ...defined({ after: lastId }) };
    const page = await askDeletions((deletions) => deletions.list(query));
    if (page.isErr()) return err(page.error);
    const { deletions, more } = page.value;
    requests.push(...deletions.filter(({ number }) => number > after && number <= upTo));
    const oldest = deletions.at(-1);
    if (!more || oldest === undefined || oldest.number <= after) break;
    lastId = oldest.id;
  }
  return ok(requests.filter(({ regulation }) => effectsOf(regulation).purges).toReversed());
}

/** The users that a request names. */
export async function usersOfDeletion(
  { askDeletions }: DeletionReads,
  id: DeletionId,
): Promise<Result<readonly string[], StoreFault>> {
  if (askDeletions === undefined) return ok([]);
  const deletion = await askDeletions((deletions) => deletions.find(id));
  return deletion.map((record) => record?.userIds ?? []);
}

/** All users of those requests up to the number `upTo` of which not all notices are stored yet. */
export async function usersToNotify(
  storage: DeletionReads,
  upTo: number,
): Promise<Result<ReadonlySet<string>, StoreFault>> {
  const requests = await requestsWithin(storage, { after: 0, upTo });
  if (requests.isErr()) return err(requests.error);
  const userIds = new Set<string>();
  for (const { id, regulation, notified, users } of requests.value) {
    if (!effectsOf(regulation).notifies || notified >= users) continue;
    const requestUsers = await usersOfDeletion(storage, id);
    if (requestUsers.isErr()) return err(requestUsers.error);
    for (const userId of requestUsers.value) userIds.add(userId);
  }
  return ok(userIds);
}
