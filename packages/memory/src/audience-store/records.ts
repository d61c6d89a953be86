// The records of audiences. They are copied when they are stored and read, so a caller cannot change the stored ones.

import { type AudienceRecord, createStoreError, type RunningSync } from "@postrider/core";
import type { MemoryAudienceStoreBounds, AudienceContents } from "./contents.js";

export function create(
  { records }: AudienceContents,
  { maxAudiences }: MemoryAudienceStoreBounds,
  record: AudienceRecord,
): boolean {
  if (records.has(record.key)) return false;
  if (records.size >= maxAudiences) throw createStoreError("full", "the memory store is at its bound of audiences");
  records.set(record.key, copy(record));
  return true;
}

export function find({ records }: AudienceContents, key: string): AudienceRecord | undefined {
  const record = records.get(key);
  return record === undefined ? undefined : copy(record);
}

export function list({ records }: AudienceContents): readonly AudienceRecord[] {
  return [...records.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(copy);
}

/**
 * Replaces a record if the stored revision is one lower, otherwise returns false: of two callers that read the same
 * revision, only the first succeeds.
 */
export function replace({ records }: AudienceContents, record: AudienceRecord): boolean {
  if (records.get(record.key)?.revision !== record.revision - 1) return false;
  records.set(record.key, copy(record));
  return true;
}

function copy(record: AudienceRecord): AudienceRecord {
  return {
    ...record,
    destinations: [...record.destinations],
    running: copyRunning(record.running),
    last: record.last === null ? null : { ...record.last },
    told: record.told.map((snapshot) => ({ ...snapshot, parts: snapshot.parts.map((part) => ({ ...part })) })),
  };
}

function copyRunning(running: RunningSync | null): RunningSync | null {
  if (running === null) return null;
  return running.kind === "sending" ? { ...running, left: [...running.left] } : { ...running };
}
