// The names of the sets that syncs make, and which of them nobody needs any more (decision: audiences). A name tells its
// audience and its sync, so that whoever clears up never touches what a younger sync is making.

import type { AudienceRecord } from "./audience.js";

/** The beginning of the names of all sets of an audience. A key holds no slash. */
export function setsOf(key: string): string {
  return `audience/${key}/`;
}

/** One of the sets that a sync makes. */
export function syncSet({
  key,
  sync,
  run,
}: {
  readonly key: string;
  readonly sync: number;
  readonly run: number;
}): string {
  return `${setsOf(key)}${String(sync)}/run-${String(run)}`;
}

/** Of these sets of an audience those that its record does not need. A set of a sync that the record knows nothing of stays. */
export function straySets(record: AudienceRecord, sets: readonly string[]): readonly string[] {
  const { key, syncs, running } = record;
  const needed = neededSets(record);
  const ended = running?.kind === "collecting" ? syncs - 1 : syncs;
  return sets.filter((set) => !needed.has(set) && syncOf(key, set) <= ended);
}

/** Those that the record names. */
export function neededSets({ running, told, current }: AudienceRecord): ReadonlySet<string> {
  const needed = new Set(told.flatMap(({ parts }) => parts.map((part) => part.set)));
  if (running?.kind === "sending") needed.add(running.set);
  if (current !== undefined) needed.add(current);
  return needed;
}

/** Of these sets of an audience those that this sync made. */
export function ownSets(key: string, sync: number, sets: readonly string[]): readonly string[] {
  return sets.filter((set) => syncOf(key, set) === sync);
}

/** The number of the sync that made a set. */
function syncOf(key: string, set: string): number {
  return Number.parseInt(set.slice(setsOf(key).length), 10);
}
