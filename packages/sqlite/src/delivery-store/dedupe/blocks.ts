// The dedupe entries in the file: blocks of up to 64 message ids in the order of acceptance, numbered without gaps.
// Blocks are only added at the high end and removed at the low end. Hashes are stored apart from ids, because all hashes
// are read when the file is opened.

import { createStoreError, type EpochMs, epochMs } from "@postrider/core";
import type { SqliteDatabase } from "../../file/database.js";
import {
  readMaybeBytes,
  readNumber,
  readSingleRow,
  readPlainText,
  readRow,
  readRows,
  type Row,
} from "../../rows/rows.js";
import { type IdHash, RANGE_IDS } from "./id-table.js";

/** The deliveries with ids above `after`, up to and including `upTo`. There are none if both are equal. */
export interface DeliveryRange {
  readonly after: number;
  readonly upTo: number;
}

/** An accepted message id, and its deliveries. */
export interface IdEntry extends DeliveryRange {
  readonly source: string;
  readonly messageId: string;
}

export interface NewBlock {
  /** The number of the last id of the block. */
  readonly lastNumber: number;
  /** The instant at which the ids of the block were accepted. */
  readonly at: EpochMs;
  readonly hashes: readonly IdHash[];
  readonly ids: readonly IdEntry[];
}

export interface IdBlocks {
  /** The number of the last id; 0 if there is none. */
  lastNumber(): number;
  add(block: NewBlock): void;
  /** Calls `visit` with each hash whose number is above `above`, in order. */
  eachHash(above: number, visit: (hash: IdHash, number: number) => void): void;
  /** The numbers that have this hash, in all blocks that overlap the range of 64 numbers that begins at `range`. */
  withHash(hash: IdHash, range: number): readonly number[];
  /** The entry under a number, and the instant at which it was accepted. */
  find(number: number): { readonly id: IdEntry; readonly at: EpochMs } | undefined;
  /**
   * Removes the oldest blocks, with about `ids` entries, but stops at the first block that is to be kept. A block is kept if
   * it was accepted after `after` and not later than `until` (a later time comes from a clock that was ahead), and has a
   * number above `floor`. The newest block is always kept.
   */
  forget(bounds: { readonly after: EpochMs; readonly until: EpochMs; readonly floor: number }, ids: number): void;
  /** The number before that of the oldest entry that is left; 0 if no entry is left. */
  floor(): number;
  /** A delivery id; the entries that are left name all deliveries with ids above it. */
  completeAfter(): number;
}

export const BLOCK_IDS = 64;
const HASH_BYTES = 8;
/** Rows read per query. */
const PAGE = 500;

export function prepareIdBlocks(database: SqliteDatabase): IdBlocks {
  const selectLast = database.prepare("select coalesce(max(last), 0) as last from seen_hash");
  const addHashes = database.prepare("insert into seen_hash (last, hashes) values (?, ?)");
  const addIds = database.prepare("insert into seen_id (last, at, ids) values (?, ?, ?)");
  const selectAbove = database.prepare("select last, hashes from seen_hash where last > ? order by last limit ?");
  const selectFirst = database.prepare("select last, length(hashes) as bytes from seen_hash order by last limit 1");
  const selectNear = database.prepare("select last, hashes from seen_hash where last >= ? and last < ? order by last");
  const selectFromNumber = database.prepare("select last, at, ids from seen_id where last >= ? order by last limit 1");
  const selectUpTo = database.prepare("select last, at from seen_id where last <= ? order by last");
  const removeHashes = database.prepare("delete from seen_hash where last <= ?");
  const removeIds = database.prepare("delete from seen_id where last <= ?");

  return {
    lastNumber: () => readNumber(readSingleRow(selectLast.get()), "last"),
    add: ({ lastNumber, at, hashes, ids }): void => {
      addHashes.run(lastNumber, toBytes(hashes));
      addIds.run(lastNumber, at, toJson(ids));
    },
    eachHash: (above, visit): void => {
      for (let from = above, size = PAGE; size === PAGE;) {
        const rows = readRows(selectAbove.all(from, PAGE)).map(readHashRow);
        for (const row of rows) visitHashes(row, visit);
        from = rows.at(-1)?.lastNumber ?? from;
        size = rows.length;
      }
    },
    // A block that begins in the range ends less than the length of a block after the range.
    withHash: (hash, range) =>
      readRows(selectNear.all(range, range + RANGE_IDS + BLOCK_IDS)).flatMap((row) =>
        numbersOf(readHashRow(row), hash),
      ),
    find: (number) => {
      const row = readRow(selectFromNumber.get(number));
      if (row === undefined) return undefined;
      const ids = readIds(row);
      const id = ids[number - 1 - (readNumber(row, "last") - ids.length)];
      return id === undefined ? undefined : { id, at: epochMs(readNumber(row, "at")) };
    },
    forget: ({ after, until, floor }, ids): void => {
      const firstRow = readRow(selectFirst.get());
      if (firstRow === undefined) return;
      const end = readNumber(firstRow, "last");
      const upTo = Math.max(end, beforeFirst(end, readNumber(firstRow, "bytes")) + ids);
      // The newest block stays, since the next number is computed from it.
      const newest = readNumber(readSingleRow(selectLast.get()), "last");
      const rows = readRows(selectUpTo.all(Math.min(upTo, newest - 1)));
      const firstToKeep = rows.findIndex((row) => {
        const at = readNumber(row, "at");
        return at > after && at <= until && readNumber(row, "last") > floor;
      });
      const lastToRemove = (firstToKeep === -1 ? rows : rows.slice(0, firstToKeep)).at(-1);
      if (lastToRemove === undefined) return;
      removeHashes.run(readNumber(lastToRemove, "last"));
      removeIds.run(readNumber(lastToRemove, "last"));
    },
    floor: () => {
      const row = readRow(selectFirst.get());
      return row === undefined ? 0 : beforeFirst(readNumber(row, "last"), readNumber(row, "bytes"));
    },
    completeAfter: () => {
      const row = readRow(selectFromNumber.get(0));
      return (row === undefined ? undefined : readIds(row)[0]?.after) ?? Number.MAX_SAFE_INTEGER;
    },
  };
}

interface HashRow {
  readonly lastNumber: number;
  readonly bytes: DataView;
}

function readHashRow(row: Row): HashRow {
  const bytes = readMaybeBytes(row, "hashes") ?? new Uint8Array();
  return { lastNumber: readNumber(row, "last"), bytes: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** The number before that of the first id of a block, from the number of its last id and the length of its hashes. */
function beforeFirst(lastNumber: number, hashBytes: number): number {
  return lastNumber - hashBytes / HASH_BYTES;
}

function visitHashes(row: HashRow, visit: (hash: IdHash, number: number) => void): void {
  const { lastNumber, bytes } = row;
  const first = beforeFirst(lastNumber, bytes.byteLength) + 1;
  for (let at = 0; at < bytes.byteLength; at += HASH_BYTES)
    visit({ high: bytes.getUint32(at), low: bytes.getUint32(at + 4) }, first + at / HASH_BYTES);
}

function numbersOf(row: HashRow, hash: IdHash): readonly number[] {
  const numbers: number[] = [];
  visitHashes(row, ({ high, low }, number) => {
    if (high === hash.high && low === hash.low) numbers.push(number);
  });
  return numbers;
}

function toBytes(hashes: readonly IdHash[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(hashes.length * HASH_BYTES));
  for (const [index, { high, low }] of hashes.entries()) {
    bytes.setUint32(index * HASH_BYTES, high);
    bytes.setUint32(index * HASH_BYTES + 4, low);
  }
  return new Uint8Array(bytes.buffer);
}

/** JSON, since SQLite does not return every text unchanged; see `toText`. */
function toJson(ids: readonly IdEntry[]): string {
  return JSON.stringify(ids.map(({ source, messageId, after, upTo }) => [source, messageId, after, upTo]));
}

function readIds(row: Row): readonly IdEntry[] {
  const ids: unknown = parse(readPlainText(row, "ids"));
  if (!Array.isArray(ids)) return misfit();
  return ids.map((id: unknown) =>
    isIdEntry(id) ? { source: id[0], messageId: id[1], after: id[2], upTo: id[3] } : misfit(),
  );
}

function isIdEntry(id: unknown): id is readonly [string, string, number, number] {
  if (!Array.isArray(id)) return false;
  const [source, messageId, after, upTo] = id as readonly unknown[];
  return [source, messageId].every((text) => typeof text === "string") && [after, upTo].every(Number.isSafeInteger);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function misfit(): never {
  throw createStoreError("corrupt", "SQLite: a list of message ids is not what was stored");
}
