// Keeps a request, and has it in force at once: its users are suppressed or no longer so, and what is stored of them is
// out of reach (decision: deletion).

import { effectsOf, type EpochMs, type NewDeletion } from "@postrider/core";
import { storeError } from "../../store-error.js";
import type { Bounds } from "../bounds.js";
import type { Contents } from "../contents.js";
import type { People, StoredDeletion } from "./contents.js";

export function open(contents: Contents, bounds: Bounds, deletion: NewDeletion, now: EpochMs): void {
  const { people, sequence } = contents;
  if (people.deletions.has(deletion.id)) return;
  refuseIfFull(people, bounds, deletion);
  const { suppression, purges } = effectsOf(deletion.regulation);
  const number = people.deletions.size + 1;
  const stored = storeDeletion(deletion, { number, upTo: sequence }, now);
  people.deletions.set(deletion.id, stored);
  if (purges) people.unpurged.add(stored);
  for (const userId of stored.userIds) {
    if (suppression === "begins") people.suppressed.add(userId);
    if (suppression === "ends") people.suppressed.delete(userId);
  }
}

function refuseIfFull({ deletions, suppressed }: People, bounds: Bounds, { userIds }: NewDeletion): void {
  const named = [...deletions.values()].reduce((sum, deletion) => sum + deletion.userIds.size, 0);
  if (suppressed.size + named + 2 * userIds.length > bounds.maxUsers || deletions.size >= bounds.maxDeletions)
    throw storeError("full", "the memory store is at its bound");
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
