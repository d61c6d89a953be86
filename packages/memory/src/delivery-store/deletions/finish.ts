// Finishes a request that has no step left, and removes its user ids. Memory has no log that would still hold removed
// data.

import { type DeletionId, type EpochMs, nextStep } from "@postrider/core";
import type { Contents } from "../contents.js";
import type { StoredDeletion } from "./contents.js";

export function finish({ deletions }: Contents, id: DeletionId, now: EpochMs): boolean {
  const deletion = deletions.requests.get(id);
  if (deletion === undefined || !isDone(deletion, !deletions.unpurged.has(deletion))) return false;
  deletion.finishedAt ??= now;
  deletion.userIds = new Set();
  return true;
}

/** Whether no step is left; also true for a request that is already finished. */
function isDone({ regulation, notified, users }: StoredDeletion, isPurged: boolean): boolean {
  return nextStep({ regulation, notified, users, isPurged }) === "finish";
}
