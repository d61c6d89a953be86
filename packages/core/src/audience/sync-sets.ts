// Names the sets that syncs write, and decides which of them are no longer needed (decision: audiences). A name contains the
// key of its audience and the number of its sync, so that a clean-up never removes the sets of a later sync.

import type { AudienceRecord } from "./audience.js";

/** The common prefix of the names of all sets of an audience. A key contains no slash. */
export function setPrefix(key: string): string {
  return `audience/${key}/`;
}

/** The name of one set of a sync: `audience/KEY/SYNC/run-RUN`. A sync may write several runs before they are merged. */
export function setName({
  key,
  sync,
  run,
}: {
  readonly key: string;
  readonly sync: number;
  readonly run: number;
}): string {
  return `${setPrefix(key)}${String(sync)}/run-${String(run)}`;
}

/**
 * The sets, among `sets` of an audience, that its record no longer needs. Sets of syncs that are later than the record's
 * latest are kept.
 */
export function unusedSets(record: AudienceRecord, sets: readonly string[]): readonly string[] {
  const needed = neededSets(record);
  return uploadedSets(record, sets).filter((set) => !needed.has(set));
}

/**
 * The sets, among `sets` of an audience, that no upload is writing. Sets of syncs that are later than the record's latest
 * are left out: their uploads began after the record was read.
 */
export function uploadedSets(record: AudienceRecord, sets: readonly string[]): readonly string[] {
  const { key, syncs, running } = record;
  const lastUploaded = running?.kind === "collecting" ? syncs - 1 : syncs;
  return sets.filter((set) => syncOf(key, set) <= lastUploaded);
}

/** The sets that a record refers to. */
export function neededSets({ running, told, current }: AudienceRecord): ReadonlySet<string> {
  const needed = new Set(told.flatMap(({ parts }) => parts.map((part) => part.set)));
  if (running?.kind === "sending") needed.add(running.set);
  if (current !== undefined) needed.add(current);
  return needed;
}

/** The sets that this sync wrote, among `sets` of an audience. */
export function setsOfSync(key: string, sync: number, sets: readonly string[]): readonly string[] {
  return sets.filter((set) => syncOf(key, set) === sync);
}

/** The number of the sync that wrote a set. */
function syncOf(key: string, set: string): number {
  return Number.parseInt(set.slice(setPrefix(key).length), 10);
}
