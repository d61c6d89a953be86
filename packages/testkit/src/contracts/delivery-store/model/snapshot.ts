// Reads the whole visible state of a store: every delivery that was ever stored, the list of all, the counters, the lanes,
// the requests about users, the suppressed users. Changes the returned bytes afterwards: the store must not be affected.

import { defined } from "@postrider/core/engine";
import type {
  DeletionId,
  DeletionRecord,
  DeletionStore,
  DeliveryId,
  DeliveryPage,
  DeliveryRecord,
  DeliveryStore,
  EpochMs,
  LaneRow,
  SourceCounts,
} from "@postrider/core";
import type { Model } from "./model.js";
import { DELETION_IDS } from "./names.js";

/** The visible state of a store between two commands. */
export interface Snapshot {
  readonly records: ReadonlyMap<DeliveryId, DeliveryRecord>;
  readonly list: DeliveryPage;
  readonly counts: readonly SourceCounts[];
  readonly lanes: readonly LaneRow[];
  /** Absent if the store has no deletions. */
  readonly users?: UserSnapshot;
}

export interface UserSnapshot {
  readonly requests: ReadonlyMap<DeletionId, DeletionRecord>;
  readonly listed: readonly DeletionRecord[];
  readonly unfinished: readonly DeletionId[];
  readonly suppressed: readonly string[];
}

/** More than any run stores. */
const ALL = 1_000;

/** More pages than any run needs. */
const MAX_PAGES = 50;

export async function lookAt(model: Model, store: DeliveryStore, now: EpochMs): Promise<Snapshot> {
  const list = await store.list({ limit: ALL });
  const ids = [...model.deliveries.map(({ id }) => id), ...list.deliveries.map(({ id }) => id)];
  const answers = await Promise.all([...new Set(ids)].map((id) => store.find(id)));
  const records = answers
    .filter((record) => record !== undefined)
    .map((record) => [record.id, copyAndSpoil(record)] as const);
  const [counts, lanes] = [await store.counts(), await walkLanes(store, now)];
  const users = store.deletions === undefined ? undefined : await lookAtUsers(store.deletions);
  return { records: new Map(records), list, counts, lanes, ...defined({ users }) };
}

function copyAndSpoil(record: DeliveryRecord): DeliveryRecord {
  const copy = structuredClone(record);
  record.body?.fill(0xee);
  for (const { excerpt } of record.endpoints) excerpt?.fill(0xee);
  return copy;
}

async function walkLanes(store: DeliveryStore, now: EpochMs): Promise<readonly LaneRow[]> {
  const rows: LaneRow[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = rows.at(-1)?.lane;
    const { lanes, more } = await store.lanes({ limit: 2, ...defined({ after }) }, now);
    rows.push(...lanes);
    if (!more) return rows;
  }
  return rows;
}

async function lookAtUsers(deletions: DeletionStore): Promise<UserSnapshot> {
  const answers = await Promise.all(DELETION_IDS.map((id) => deletions.find(id)));
  const requests = answers.filter((request) => request !== undefined).map((request) => [request.id, request] as const);
  const listed = (await deletions.list({ limit: ALL })).deletions;
  const unfinished = (await deletions.list({ limit: ALL, unfinished: true })).deletions.map(({ id }) => id);
  return { requests: new Map(requests), listed, unfinished, suppressed: await walkSuppressed(deletions) };
}

async function walkSuppressed(deletions: DeletionStore): Promise<readonly string[]> {
  const users: string[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = users.at(-1);
    const suppressed = await deletions.suppressed({ limit: 2, ...defined({ after }) });
    users.push(...suppressed);
    if (suppressed.length < 2) return users;
  }
  return users;
}
