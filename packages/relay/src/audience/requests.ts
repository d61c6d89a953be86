// The requests about users as audiences see them: by their numbers, oldest first, as long as it is known whom they name. A
// store that knows nothing of users has none.

import { defined } from "@postrider/core/engine";
import { type DeletionId, type DeletionRecord, effectsOf } from "@postrider/core";
import { err, ok, type Result } from "neverthrow";
import type { RelayContext } from "../context.js";
import { DELETIONS_AT_ONCE } from "../limits.js";
import type { StoreFault } from "../storage/storage.js";

type Asking = Pick<RelayContext, "storage">;

/** Numbers from `after` on, without it, up to `upTo`. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

/** The number of the last request; 0 if there was none. */
export async function lastRequest({ storage }: Asking): Promise<Result<number, StoreFault>> {
  if (storage.askDeletions === undefined) return ok(0);
  const page = await storage.askDeletions((deletions) => deletions.list({ limit: 1 }));
  return page.map(({ deletions }) => deletions[0]?.number ?? 0);
}

/** Those within a span that are to remove what is known of users, unless they are finished: then they name nobody. */
export async function requestsWithin(
  { storage }: Asking,
  { after, upTo }: Span,
): Promise<Result<readonly DeletionRecord[], StoreFault>> {
  if (storage.askDeletions === undefined || upTo <= after) return ok([]);
  const found: DeletionRecord[] = [];
  let last: DeletionId | undefined;
  for (;;) {
    const query = { unfinished: true, limit: DELETIONS_AT_ONCE, ...defined({ after: last }) };
    const page = await storage.askDeletions((deletions) => deletions.list(query));
    if (page.isErr()) return err(page.error);
    const { deletions, more } = page.value;
    found.push(...deletions.filter((one) => one.number > after && one.number <= upTo));
    const oldest = deletions.at(-1);
    if (!more || oldest === undefined || oldest.number <= after) break;
    last = oldest.id;
  }
  return ok(found.filter(({ regulation }) => effectsOf(regulation).purges).toReversed());
}

/** Whom a request names. */
export async function usersOf({ storage }: Asking, id: DeletionId): Promise<Result<readonly string[], StoreFault>> {
  if (storage.askDeletions === undefined) return ok([]);
  const found = await storage.askDeletions((deletions) => deletions.find(id));
  return found.map((record) => record?.userIds ?? []);
}

/** The users of requests up to this one whose delete messages are still to be stored. */
export async function usersToNotify(context: Asking, upTo: number): Promise<Result<ReadonlySet<string>, StoreFault>> {
  const requests = await requestsWithin(context, { after: 0, upTo });
  if (requests.isErr()) return err(requests.error);
  const userIds = new Set<string>();
  for (const { id, regulation, notified, users } of requests.value) {
    if (!effectsOf(regulation).notifies || notified >= users) continue;
    const named = await usersOf(context, id);
    if (named.isErr()) return err(named.error);
    for (const userId of named.value) userIds.add(userId);
  }
  return ok(userIds);
}
