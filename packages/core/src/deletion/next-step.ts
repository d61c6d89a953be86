// Decides the next step of a deletion request from its record alone, so that any process can resume it (decision: deletion).
// Must not know how a step is done.

import type { DeletionRecord } from "./deletion.js";
import { effectsOf } from "./regulation.js";

/** `purge` removes bodies, `notify` stores the notices, `finish` ends the request. `none`: the request is finished. */
export type DeletionStep = "purge" | "notify" | "finish" | "none";

/** The fields of a record that the decision needs. */
export type DeletionProgress = Pick<DeletionRecord, "finishedAt" | "regulation" | "isPurged" | "notified" | "users">;

/** The next step. Purging comes first: a retry of an old message after the notice would create the user again. */
export function nextStep(record: DeletionProgress): DeletionStep {
  if (record.finishedAt !== undefined) return "none";
  const { purges, notifies } = effectsOf(record.regulation);
  if (purges && !record.isPurged) return "purge";
  return notifies && record.notified < record.users ? "notify" : "finish";
}
