// Writes an audience and its syncs as JSON, with the schemas of both for the document of the API. Also keeps the progress
// of the syncs that were uploaded to this process, since the record in the store has less detail and is updated later.

import type { AudienceDefinition, AudienceRecord, RunningSync, SyncReport } from "@postrider/core";
import type { SyncProgress } from "@postrider/relay";
import { formatTimestamp } from "@postrider/core/engine";
import {
  component,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  orNull,
  type SchemaOf,
  textSchema,
  unionSchema,
} from "../contract/json-schema.js";

const NOTHING_SENT = { members: null, entered: 0, departed: 0, changed: 0, left: null };

/** A sync that has ended. */
interface EndedSyncJson {
  readonly sync: number;
  readonly members: number;
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
  readonly endedAt: string;
}

const REPORT_COUNTS = {
  sync: integerSchema({ minimum: 1 }),
  members: integerSchema(),
  entered: integerSchema(),
  departed: integerSchema(),
  changed: integerSchema(),
};

/** A sync that may still be sending; `endedAt` is null until all changes are sent. */
interface SyncJson extends Omit<EndedSyncJson, "endedAt"> {
  readonly endedAt: string | null;
}

export const SYNC: SchemaOf<SyncJson> = component<SyncJson>("Sync", {
  ...REPORT_COUNTS,
  endedAt: orNull(instantSchema()),
});

/** A sync that is under way. */
interface RunningSyncJson {
  readonly sync: number;
  readonly done: number | null;
  readonly total: number | null;
  readonly phase: SyncProgress["phase"];
  readonly members: number | null;
  readonly entered: number;
  readonly departed: number;
  readonly changed: number;
  readonly left: readonly string[] | null;
}

/** The latest sync whose changes a destination has got. */
interface ToldJson {
  readonly destination: string;
  readonly sync: number;
}

/** An audience in an answer. */
export interface AudienceJson {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly kind: AudienceDefinition["kind"];
  readonly sendsAs: AudienceDefinition["sendsAs"];
  readonly destinations: readonly string[];
  readonly createdAt: string;
  readonly running: RunningSyncJson | null;
  readonly last: EndedSyncJson | null;
  readonly told: readonly ToldJson[];
}

const RUNNING = component<RunningSyncJson>("RunningSync", {
  ...REPORT_COUNTS,
  members: orNull(integerSchema()),
  done: orNull(integerSchema()),
  total: orNull(integerSchema()),
  phase: unionSchema<SyncProgress["phase"]>({ collecting: true, merging: true, comparing: true, sending: true }),
  left: orNull(listSchema(textSchema())),
});

export const AUDIENCE: SchemaOf<AudienceJson> = component<AudienceJson>("Audience", {
  key: textSchema(),
  id: textSchema(),
  name: textSchema(),
  kind: unionSchema<AudienceDefinition["kind"]>({ audience: true, trait: true }),
  sendsAs: unionSchema<AudienceDefinition["sendsAs"]>({ identify: true, track: true }),
  destinations: listSchema(textSchema()),
  createdAt: instantSchema(),
  running: orNull(RUNNING),
  last: orNull(component<EndedSyncJson>("EndedSync", { ...REPORT_COUNTS, endedAt: instantSchema() })),
  told: listSchema(objectSchema<ToldJson>({ destination: textSchema(), sync: integerSchema() })),
});

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
  const counts = { sync: syncs, done: progress?.done ?? null, total: progress?.total ?? null };
  if (running.kind === "collecting") return { ...counts, phase: progress?.phase ?? running.kind, ...NOTHING_SENT };
  const { kind: phase, members, entered, departed, changed, left } = running;
  return { ...counts, phase, members, entered, departed, changed, left };
}

export interface ProgressByAudience {
  note(key: string, progress: SyncProgress): void;
  progressOf(key: string): SyncProgress | undefined;
  forget(key: string): void;
}

export function createProgressByAudience(): ProgressByAudience {
  const progressByKey = new Map<string, SyncProgress>();
  return {
    note: (key, progress) => void progressByKey.set(key, progress),
    progressOf: (key) => progressByKey.get(key),
    forget: (key) => void progressByKey.delete(key),
  };
}
