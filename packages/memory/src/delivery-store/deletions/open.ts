// Stores a request, which takes effect at once: its users become suppressed, or are no longer suppressed. If it purges, the
// deliveries that were stored before it and that it covers are no longer sent (decision: deletion).

import { createStoreError, effectsOf, type EpochMs, type NewDeletion } from "@postrider/core";
import type { MemoryStoreBounds } from "../bounds.js";
import type { Contents } from "../contents.js";
import type { DeletionContents, StoredDeletion } from "./contents.js";

export function openDeletion(contents: Contents, bounds: MemoryStoreBounds, deletion: NewDeletion, now: EpochMs): void {
  const { deletions, sequence } = contents;
  if (deletions.requests.has(deletion.id)) return;
  refuseIfFull(deletions, bounds, deletion);
  const { suppression, purges } = effectsOf(deletion.regulation);
  const number = deletions.requests.size + 1;
  const stored = storeDeletion(deletion, { number, upTo: sequence }, now);
  deletions.requests.set(deletion.id, stored);
  if (purges) deletions.unpurged.add(stored);
  for (const userId of stored.userIds) {
    if (suppression === "begins") deletions.suppressed.add(userId);
    if (suppression === "ends") deletions.suppressed.delete(userId);
  }
}

function refuseIfFull(
  { requests, suppressed }: DeletionContents,
  bounds: MemoryStoreBounds,
  { userIds }: NewDeletion,
): void {
  const named = [...requests.values()].reduce((sum, deletion) => sum + deletion.userIds.size, 0);
  if (suppressed.size + named + 2 * userIds.length > bounds.maxUsers || requests.size >= bounds.maxDeletions)
    throw createStoreError("full", "the memory store is at its bound");
}

function storeDeletion(
  { id, regulation, userIds, sources }: NewDeletion,
  place: Pick<StoredDeletion, "number" | "upTo">,
  now: EpochMs,
): StoredDeletion {
  const named = new Set(userIds);
  return {
    id,
    regulation,
    sources: sources === null ? null : [...sources],
    requestedAt: now,
    users: named.size,
    ...place,
    notices: new Map(),
    userIds: named,
    lookedAt: place.upTo + 1,
    purged: 0,
    notified: 0,
    finishedAt: undefined,
  };
}
