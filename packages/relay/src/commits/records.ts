// Reads and changes the small records of one kind: pauses, replay jobs, audiences. A codec makes them from the texts that a store keeps
// (decision: one part for records). Other processes may change each record too.

import type { AudienceRecord, LanePause, RecordKind, RecordStore, ReplayJob, StoredRecord } from "@postrider/core";
import {
  decodeAudience,
  decodePause,
  decodeReplayJob,
  defined,
  encodeAudience,
  encodePause,
  encodeReplayJob,
} from "@postrider/core/engine";
import { err, ok, type Result } from "neverthrow";
import { MAX_RACES, RECORDS_PER_PAGE } from "../limits.js";
import type { StoreFault } from "../fault.js";

/** The codec of the records of one kind, and the order of their lists. */
interface RecordCodec<T> {
  readonly kind: RecordKind;
  readonly encode: (value: T) => StoredRecord;
  readonly decode: (record: StoredRecord) => T;
  /** The order of lists. Absent: the order of the store. */
  readonly compare?: (a: T, b: T) => number;
}

export const PAUSE_RECORDS: RecordCodec<LanePause> = { kind: "pause", encode: encodePause, decode: decodePause };

/** The latest first. */
export const REPLAY_JOB_RECORDS: RecordCodec<ReplayJob> = {
  kind: "replay-job",
  encode: encodeReplayJob,
  decode: decodeReplayJob,
  compare: (a, b) => b.createdAt - a.createdAt,
};

/** By their keys, in UTF-16 units. */
export const AUDIENCE_RECORDS: RecordCodec<AudienceRecord> = {
  kind: "audience",
  encode: encodeAudience,
  decode: decodeAudience,
  compare: (a, b) => (a.key < b.key ? -1 : 1),
};

/** The records of one kind in a store. */
export interface Records<T> {
  /** False if another process was first: a new record exists already, or the stored one is not of the previous revision. */
  put(value: T): Promise<Result<boolean, StoreFault>>;
  find(key: string): Promise<Result<T | undefined, StoreFault>>;
  /** All records, or all with this tag, read page by page: one that is added or removed meanwhile may be in the list or not. */
  list(tag?: string): Promise<Result<readonly T[], StoreFault>>;
  remove(key: string): Promise<Result<void, StoreFault>>;
}

interface RecordPage<T> {
  readonly values: readonly T[];
  /** The key of the last record of a full page; absent if no page follows. */
  readonly lastKey?: string;
}

/** Sends a request to the part of a store that keeps records. Never throws. */
type Ask = <T>(question: (records: RecordStore) => Promise<T>) => PromiseLike<Result<T, StoreFault>>;

export function createRecords<T>(ask: Ask, { kind, encode, decode, compare }: RecordCodec<T>): Records<T> {
  async function list(tag?: string): Promise<Result<readonly T[], StoreFault>> {
    const values: T[] = [];
    let after: string | undefined;
    do {
      const query = { kind, limit: RECORDS_PER_PAGE, ...defined({ tag, after }) };
      const page = await ask(async (records) => pageOf(await records.list(query)));
      if (page.isErr()) return err(page.error);
      values.push(...page.value.values);
      after = page.value.lastKey;
    } while (after !== undefined);
    return ok(compare === undefined ? values : values.toSorted(compare));
  }

  function pageOf(page: readonly StoredRecord[]): RecordPage<T> {
    return { values: page.map(decode), ...defined({ lastKey: page[RECORDS_PER_PAGE - 1]?.key }) };
  }

  return {
    put: async (value) => ask((records) => records.put(encode(value))),
    find: async (key) =>
      ask(async (records) => {
        const record = await records.find(kind, key);
        return record && decode(record);
      }),
    list,
    remove: async (key) => ask((records) => records.remove(kind, key)),
  };
}

/** The change of a record. */
export interface RecordChange<T, Refusal> {
  readonly key: string;
  /** The record as it was last read: the first try then does not read it. */
  readonly known?: T;
  /** May be called repeatedly. */
  readonly decide: (record: T) => Result<T, Refusal>;
}

/**
 * Replaces the record by the result of `decide`, under the next revision, and answers it; undefined if there is no record. If another
 * process has changed it first, `decide` is called again with the new record.
 */
export async function replaceRecord<T extends { readonly revision: number }, Refusal>(
  records: Pick<Records<T>, "find" | "put">,
  { key, known, decide }: RecordChange<T, Refusal>,
): Promise<Result<T | undefined, Refusal | StoreFault>> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const found = race === 0 && known !== undefined ? ok(known) : await records.find(key);
    if (found.isErr()) return err(found.error);
    if (found.value === undefined) return ok(undefined);
    const decided = decide(found.value);
    if (decided.isErr()) return err(decided.error);
    const replacement = { ...decided.value, revision: found.value.revision + 1 };
    const replaced = await records.put(replacement);
    if (replaced.isErr()) return err(replaced.error);
    if (replaced.value) return ok(replacement);
  }
  return err({ code: "busy" });
}
