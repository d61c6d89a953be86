// Decides what is to be done next for a deletion request, from how far it has come: whoever reads its record can go on with
// it, in whatever process (decision: deletion).

import type { DeletionRecord } from "./deletion.js";
import { effectsOf } from "./regulation.js";

/** `none`: it is finished. */
export type DeletionStep = "purge" | "notify" | "finish" | "none";

/** What has to be known of a request, whoever keeps it. */
export type DeletionProgress = Pick<DeletionRecord, "finishedAt" | "regulation" | "isPurged" | "notified" | "users">;

/** What is stored goes first: an old retry that came after the notice would create the user anew at a receiver. */
export function nextStep(record: DeletionProgress): DeletionStep {
  if (record.finishedAt !== undefined) return "none";
  const { purges, notifies } = effectsOf(record.regulation);
  if (purges && !record.isPurged) return "purge";
  return notifies && record.notified < record.users ? "notify" : "finish";
}
