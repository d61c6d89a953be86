// The JSON of an audience: its definition, the progress of a running sync, the report of the last sync that ended, and,
// for each destination, the last sync that it has received completely. Every key is always present, null if it does not
// apply.

import type { AudienceRecord, RunningSync, SyncReport } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { SyncProgress } from "@postrider/relay";
import type { AudienceJson, EndedSyncJson, RunningSyncJson, SyncJson } from "./audience-json.js";

/** `progress` is that of the running sync; undefined if no sync of the audience runs in this process. */
export function describeAudience(record: AudienceRecord, progress: SyncProgress | undefined): AudienceJson {
  const { running, last } = record;
  return {
    key: record.key,
    id: record.id,
    name: record.name,
    kind: record.kind,
    sendsAs: record.sendsAs,
    destinations: record.destinations,
    createdAt: formatTimestamp(record.createdAt),
    running: running === null ? null : describeRunning(record, running, progress),
    last: last === null ? null : describeReport(last),
    told: record.told.map(({ destination, sync }) => ({ destination, sync })),
  };
}

export function describeReport({ sync, members, entered, departed, changed, endedAt }: SyncReport): EndedSyncJson {
  return { sync, members, entered, departed, changed, endedAt: formatTimestamp(endedAt) };
}

/**
 * The report so far of the running sync if it sends its changes; else the report of the last sync that ended; undefined
 * if no sync has ended.
 */
export function describeLatestReport(record: AudienceRecord): SyncJson | undefined {
  const { running, last, syncs } = record;
  if (running?.kind === "sending") {
    const { members, entered, departed, changed } = running;
    return { sync: syncs, members, entered, departed, changed, endedAt: null };
  }
  return last === null ? undefined : describeReport(last);
}

function describeRunning(
  { syncs }: AudienceRecord,
  running: RunningSync,
  progress: SyncProgress | undefined,
): RunningSyncJson {
  const known = { sync: syncs, done: progress?.done ?? null, total: progress?.total ?? null };
  if (running.kind === "collecting") return { ...known, phase: progress?.phase ?? running.kind, ...NOTHING_SENT };
  const { kind: phase, members, entered, departed, changed, left } = running;
  return { ...known, phase, members, entered, departed, changed, left };
}

const NOTHING_SENT = { members: null, entered: 0, departed: 0, changed: 0, left: null };
