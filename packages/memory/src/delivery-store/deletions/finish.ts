// Ends a request that has nothing left to do: nothing that was removed is left in memory, and nobody else can hold it.

import { type DeletionId, effectsOf, type EpochMs } from "@postrider/core";
import type { Contents } from "../contents.js";
import type { StoredDeletion } from "./people.js";

export function finish({ people }: Contents, id: DeletionId, now: EpochMs): boolean {
  const deletion = people.deletions.get(id);
  if (deletion === undefined || people.unpurged.has(deletion) || !isNotified(deletion)) return false;
  deletion.finishedAt ??= now;
  deletion.userIds = new Set();
  return true;
}

function isNotified({ regulation, notified, users }: StoredDeletion): boolean {
  return !effectsOf(regulation).notifies || notified >= users;
}
