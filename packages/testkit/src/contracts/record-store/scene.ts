// The scene of a case about records. The scenes of all ports that offer records have it, so that each case is written once.

import type { RecordKind, RecordQuery, RecordStore, StoredRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent } from "../check.js";
import type { Race, RaceScene } from "../delivery-store/race.js";

/** A store that offers records. */
export interface RecordOwner {
  readonly records?: RecordStore;
  close(): Promise<void>;
}

export interface RecordScene extends RaceScene<RecordOwner, RecordScene> {
  /** A name that only this run of the case uses: of a key, or a prefix of several. */
  uniqueName(name: string): string;
  /** Opens the storage again without closing the store, as after a crash. */
  crash(): Promise<void>;
}

/** The parts of `supports` that cases about records need. */
type RecordNeed = "restart" | "sharing" | "interleaving" | "faults";

/** A promise about records, and the case that tests it. */
export interface RecordCase {
  readonly name: string;
  readonly needs?: readonly RecordNeed[];
  play(scene: RecordScene): Promise<void>;
}

/** A promise about two calls of record stores at the same time. */
export type RecordRace = Race<RecordScene, RecordOwner, RecordNeed>;

export function recordsIn({ records }: RecordOwner): RecordStore {
  return expectPresent(records, "the records of a store that has them");
}

export function recordsOf(scene: RecordScene): RecordStore {
  return recordsIn(scene.store());
}

/** A new record of this scene, with the given fields changed. */
export function newRecord(
  { uniqueName }: Pick<RecordScene, "uniqueName">,
  fields: Partial<StoredRecord> = {},
): StoredRecord {
  return { kind: "audience", key: uniqueName("one"), revision: 1, text: '{"state":"new"}', ...fields };
}

/** The record that may replace a record, with the given fields changed. */
export function nextRecord(record: StoredRecord, fields: Partial<StoredRecord> = {}): StoredRecord {
  return { ...record, text: '{"state":"next"}', ...fields, revision: record.revision + 1 };
}

/** Records of a kind, with numbered keys. */
export function numberedRecords(scene: RecordScene, count: number, kind: RecordKind): readonly StoredRecord[] {
  return Array.from({ length: count }, (_, place) =>
    newRecord(scene, { kind, key: scene.uniqueName(String(place)), text: String(place) }),
  );
}

/** Stores new records, in this order. */
export async function putAll(scene: RecordScene, records: readonly StoredRecord[]): Promise<void> {
  for (const record of records)
    expectEqual(await recordsOf(scene).put(record), true, `the answer to a new ${record.kind}`);
}

/** More than all records of a kind. */
export const LARGE_PAGE = 10_000;

/** More pages than the records of all cases need. */
const MAX_PAGES = 5_000;

/** All records of a list whose keys begin with the name of this scene, read page by page. */
export async function listOwn(
  scene: RecordScene,
  query: Omit<RecordQuery, "limit">,
  size: number = LARGE_PAGE,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  let { after } = query;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page = await recordsOf(scene).list({ ...query, limit: size, ...defined({ after }) });
    records.push(...page);
    after = page.at(-1)?.key;
    if (page.length < size) return records.filter(({ key }) => key.startsWith(scene.uniqueName("")));
  }
  throw new Error(`a list of records has no end after ${String(MAX_PAGES)} pages`);
}

/** Expects that a record is there, alone with its key. */
export async function expectRecord(scene: RecordScene, record: StoredRecord, when: string): Promise<void> {
  const { kind, key } = record;
  expectEqual(await recordsOf(scene).find(kind, key), record, `the ${kind} that is found ${when}`);
  const listedRecords = (await listOwn(scene, { kind })).filter((record) => record.key === key);
  expectEqual(listedRecords, [record], `the ${kind} that is listed ${when}`);
}

/** Expects that there is no record with this kind and key. */
export async function expectNoRecord(scene: RecordScene, kind: RecordKind, key: string, when: string): Promise<void> {
  expectEqual(await recordsOf(scene).find(kind, key), undefined, `the ${kind} that is found ${when}`);
  const listedRecords = (await listOwn(scene, { kind })).filter((record) => record.key === key);
  expectEqual(listedRecords, [], `the ${kind} that is listed ${when}`);
}
