// The requests to delete or suppress users. A request takes effect at once: its users become suppressed, or are no longer suppressed,
// and if it purges, the deliveries that were stored before it and that it covers are no longer sent (decision: purging).

import {
  type DeletionStore,
  createStoreError,
  effectsOf,
  type EpochMs,
  type NewDeletion,
  type DeletionId,
  nextStep,
  type DeletionPage,
  type DeletionQuery,
  type DeletionRecord,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { MemoryStoreBounds } from "./bounds.js";
import type {
  Contents,
  Answering,
  DeletionContents,
  StoredDeletion,
  StoredDelivery,
  MessageContents,
} from "./contents.js";
import { subtractBody, move } from "./move.js";
import { isCovered } from "./erasure.js";

export function createMemoryDeletions(
  contents: Contents,
  bounds: MemoryStoreBounds,
  { answer, timeFor }: Answering,
): DeletionStore {
  return {
    open: (deletion, now) =>
      answer(() => {
        openDeletion(contents, bounds, deletion, timeFor(now));
      }),
    purge: (slice, now) => answer(() => purge(contents, slice, timeFor(now))),
    finish: (id, now) => answer(() => finish(contents, id, timeFor(now))),
    find: (id) => answer(() => findDeletion(contents, id)),
    list: (query) => answer(() => listDeletions(contents, query)),
    suppressed: (query) => answer(() => listSuppressed(contents, query)),
  };
}

function openDeletion(contents: Contents, bounds: MemoryStoreBounds, deletion: NewDeletion, now: EpochMs): void {
  const { deletions, sequence } = contents;
  if (deletions.requests.has(deletion.id)) return;
  refuseIfFull(deletions, bounds, deletion);
  const { suppression, purges } = effectsOf(deletion.regulation);
  const number = deletions.requests.size + 1;
  const request = storeDeletion(deletion, { number, upTo: sequence }, now);
  deletions.requests.set(deletion.id, request);
  if (purges) deletions.unpurged.add(request);
  for (const userId of request.userIds) {
    if (suppression === "begins") deletions.suppressed.add(userId);
    if (suppression === "ends") deletions.suppressed.delete(userId);
  }
}

/** A new request may count each of its users twice: as named, and as suppressed. */
function refuseIfFull(
  { requests, suppressed }: DeletionContents,
  bounds: MemoryStoreBounds,
  { userIds }: NewDeletion,
): void {
  const namedUsers = [...requests.values()].reduce((sum, deletion) => sum + deletion.userIds.size, 0);
  if (suppressed.size + namedUsers + 2 * userIds.length > bounds.maxUsers || requests.size >= bounds.maxDeletions)
    throw createStoreError("full", "the memory store is at its bound");
}

function storeDeletion(
  { id, regulation, userIds, sources }: NewDeletion,
  place: Pick<StoredDeletion, "number" | "upTo">,
  now: EpochMs,
): StoredDeletion {
  const uniqueIds = new Set(userIds);
  return {
    id,
    regulation,
    sources: sources === null ? null : [...sources],
    requestedAt: now,
    users: uniqueIds.size,
    ...place,
    notices: new Map(),
    userIds: uniqueIds,
    purgedDownTo: place.upTo + 1,
    purged: 0,
    notified: 0,
    finishedAt: undefined,
  };
}

interface PurgeRequest {
  readonly id: DeletionId;
  readonly limit: number;
}

function purge(contents: Contents, { id, limit }: PurgeRequest, now: EpochMs): { readonly isDone: boolean } {
  const deletion = contents.deletions.requests.get(id);
  if (deletion === undefined || !contents.deletions.unpurged.has(deletion)) return { isDone: true };
  let visits = 0;
  for (const delivery of contents.history.before(deletion.purgedDownTo)) {
    if (visits === limit) return { isDone: false };
    visits += 1;
    deletion.purgedDownTo = delivery.sequence;
    if (isCovered(deletion, delivery)) deletion.purged += purgeMessage(contents, delivery.message, now);
  }
  contents.deletions.unpurged.delete(deletion);
  return { isDone: true };
}

/** Removes the body, the users and the excerpts of a message. Returns the number of its deliveries. */
function purgeMessage(contents: Contents, message: MessageContents, now: EpochMs): number {
  for (const delivery of message.deliveries) purgeDelivery(contents, delivery, now);
  contents.bytes -= message.body?.length ?? 0;
  message.body = undefined;
  message.userIds = [];
  return message.deliveries.size;
}

function purgeDelivery(contents: Contents, delivery: StoredDelivery, now: EpochMs): void {
  delivery.endpoints = delivery.endpoints.map(({ excerpt: _, ...state }) => state);
  if (delivery.state === "claimed") subtractBody(contents, delivery);
  if (delivery.state === "waiting") move(contents, delivery, "ended", now);
  if (delivery.state === "dead") delivery.reason = "purged";
}

function finish({ deletions }: Contents, id: DeletionId, now: EpochMs): boolean {
  const deletion = deletions.requests.get(id);
  if (deletion === undefined || !isDone(deletion, !deletions.unpurged.has(deletion))) return false;
  deletion.finishedAt ??= now;
  deletion.userIds = new Set();
  return true;
}

/** True if no step is left, as for a request that is already finished. */
function isDone({ regulation, notified, users }: StoredDeletion, isPurged: boolean): boolean {
  return nextStep({ regulation, notified, users, isPurged }) === "finish";
}

function findDeletion({ deletions }: Contents, id: DeletionId): DeletionRecord | undefined {
  const deletion = deletions.requests.get(id);
  return deletion === undefined ? undefined : { ...show(deletions, deletion), userIds: [...deletion.userIds] };
}

function listDeletions({ deletions }: Contents, { unfinished, after, limit }: DeletionQuery): DeletionPage {
  const newestFirst = [...deletions.requests.values()].reverse();
  const start = after === undefined ? 0 : placeBehind(newestFirst, after);
  const matching = newestFirst.slice(start).filter(({ finishedAt }) => unfinished !== true || finishedAt === undefined);
  return {
    deletions: matching.slice(0, limit).map((deletion) => show(deletions, deletion)),
    more: matching.length > limit,
  };
}

function placeBehind(deletions: readonly StoredDeletion[], after: DeletionId): number {
  const place = deletions.findIndex(({ id }) => id === after);
  return place === -1 ? deletions.length : place + 1;
}

function show({ unpurged }: DeletionContents, deletion: StoredDeletion): DeletionRecord {
  const { id, number, regulation, sources, requestedAt, finishedAt, users, notified, purged, notices } = deletion;
  return {
    id,
    number,
    regulation,
    sources: sources === null ? null : [...sources],
    requestedAt,
    ...defined({ finishedAt }),
    users,
    userIds: [],
    notified,
    isPurged: !unpurged.has(deletion),
    purged,
    notices: [...notices].map(([source, counts]) => ({ source, ...counts })).sort(bySource),
  };
}

function bySource(
  { source: first }: { readonly source: string },
  { source: second }: { readonly source: string },
): number {
  return first < second ? -1 : 1;
}

interface SuppressedQuery {
  readonly after?: string;
  readonly limit: number;
}

function listSuppressed({ deletions }: Contents, { after, limit }: SuppressedQuery): readonly string[] {
  const userIds = [...deletions.suppressed].filter((userId) => after === undefined || userId > after);
  return userIds.sort().slice(0, limit);
}
