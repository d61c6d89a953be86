// Packs members into pages, as user ids in one JSON text, in the next line their values, then blanks up to the end of the file page, so
// that no two rows share a page. The checksum covers the name of the set too: if a page of another set were read, receivers would be
// told about users that are not members (decision: checksums).

import { createStoreError, type Member } from "@postrider/core";
import { textsSum, readMaybeBytes, readNumber, type Row, readSingleRow } from "../rows/rows.js";
import type { SqliteDatabase } from "../file/database.js";

/**
 * A page ends with the member that brings it to this many characters. A merge of sets holds one page of each set in
 * memory.
 */
const PAGE_LENGTH = 32_768;
/** Characters that a member takes in addition to its texts: quotes and commas. */
const EXTRA_LENGTH = 6;

export interface Page {
  readonly firstId: string;
  /** The sort key of the last member. */
  readonly lastKey: Uint8Array;
  readonly bytes: Uint8Array;
  readonly checksum: number;
}

/** Packs members, which must be in order, into pages of a set. */
export function packPages(set: string, members: readonly Member[], filling: FillLength): readonly Page[] {
  const pages: Page[] = [];
  for (let start = 0; start < members.length;) {
    const end = endOfPage(members, start);
    pages.push(packPage(set, members.slice(start, end), filling));
    start = end;
  }
  return pages;
}

function endOfPage(members: readonly Member[], start: number): number {
  let length = 0;
  for (let at = start; at < members.length; at += 1) {
    const member = members[at];
    length += (member?.userId.length ?? 0) + (member?.value?.length ?? 0) + EXTRA_LENGTH;
    if (length >= PAGE_LENGTH) return at + 1;
  }
  return members.length;
}

/** Packs these members into one page. */
export function packPage(set: string, members: readonly Member[], filling: FillLength): Page {
  const userIds = JSON.stringify(members.map(({ userId }) => userId));
  const hasValues = members.some(({ value }) => value !== undefined);
  const traits = hasValues ? JSON.stringify(members.map(({ value }) => value ?? null)) : "";
  return pageOf(
    set,
    { firstId: members[0]?.userId ?? "", lastId: members.at(-1)?.userId ?? "", userIds, traits },
    filling,
  );
}

interface PageTexts {
  readonly firstId: string;
  readonly lastId: string;
  readonly userIds: string;
  /** The values as JSON; empty if no member has a value. */
  readonly traits: string;
}

function pageOf(set: string, { firstId, lastId, userIds, traits }: PageTexts, filling: FillLength): Page {
  const lastKey = sortKey(lastId);
  const bytes = filledText(`${userIds}\n${traits}`, (length) => filling([lastKey.length, length]));
  return { firstId, lastKey, bytes, checksum: textsSum([set, userIds, traits]) };
}

/** The columns that `unpackPage` reads, of `member_page m` at `member_place p`. */
export const PAGE_COLUMNS = "m.last_id, m.bytes, p.checksum";

/** The members of a page of this set. Throws if the page differs from what was stored. */
export function unpackPage(set: string, row: Row): readonly Member[] {
  const text = textOf(readMaybeBytes(row, "bytes"));
  const end = text.indexOf("\n");
  const [userIds, traits] = [text.slice(0, end), text.slice(end + 1)];
  if (end === -1 || readNumber(row, "checksum") !== textsSum([set, userIds, traits])) throw damaged(set);
  // Safe cast: the checksum shows that `packPage` wrote this text.
  const ids = JSON.parse(userIds) as readonly string[];
  if (!isKeyOf(ids.at(-1) ?? "", readMaybeBytes(row, "last_id"))) throw damaged(set);
  if (traits === "") return ids.map((userId) => ({ userId }));
  const values = JSON.parse(traits) as readonly (string | null)[];
  return ids.map((userId, at) => memberOf(userId, values[at] ?? null));
}

/** Whether the stored key is that of the last member: a wrong key would put the page at a wrong place in the set. */
function isKeyOf(userId: string, key: Uint8Array | undefined): boolean {
  const expected = sortKey(userId);
  return key?.length === expected.length && expected.every((byte, at) => key[at] === byte);
}

function damaged(set: string): Error {
  return createStoreError("corrupt", `SQLite: a page of the set ${set} is not what was stored`);
}

function memberOf(userId: string, value: string | null): Member {
  return value === null ? { userId } : { userId, value };
}

/**
 * The user id as bytes, which SQLite sorts as JavaScript sorts strings: by UTF-16 code unit, high byte first. SQLite would
 * sort text by code point, and characters beyond the basic plane would come last.
 */
export function sortKey(userId: string): Uint8Array {
  const key = new Uint8Array(2 * userId.length);
  for (let at = 0; at < userId.length; at += 1) {
    const unit = userId.charCodeAt(at);
    key[2 * at] = unit >> 8;
    key[2 * at + 1] = unit & 0xff;
  }
  return key;
}

/** The sort key of the first string after `userId`. */
export function keyAfter(userId: string): Uint8Array {
  return sortKey(`${userId}\u0000`);
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const BLANK = 0x20;

/**
 * The text as bytes, with trailing blanks. `missing` returns how many blanks to add to a text with the given number of
 * bytes. The text must not end in a blank.
 */
export function filledText(text: string, missing: (length: number) => number): Uint8Array {
  const bytes = ENCODER.encode(text);
  const filled = new Uint8Array(bytes.length + missing(bytes.length)).fill(BLANK);
  filled.set(bytes);
  return filled;
}

/** The text of such bytes, without the blanks; empty if there are no bytes. */
export function textOf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === BLANK) end -= 1;
  return DECODER.decode(bytes.subarray(0, end));
}

/**
 * Returns how many bytes to add to the last blob of a row, so that the row fills its pages. The columns of the row are
 * an integer primary key and blobs; `lengths` are the lengths of these blobs.
 * When a row is deleted from a shared page, SQLite moves the remaining rows and leaves copies of them (decision: erasure).
 */
export type FillLength = (lengths: readonly number[]) => number;

/** Bytes of a leaf page and of an overflow page that are not payload (sqlite.org/fileformat2.html). */
const LEAF_OVERHEAD = 35;
const CHAIN_OVERHEAD = 4;

/** Creates the function for the page size of this database. */
export function prepareFillLength(database: SqliteDatabase): FillLength {
  const pageSize = readNumber(readSingleRow(database.prepare("pragma page_size").get()), "page_size");
  return fillLengthFor(pageSize);
}

export function fillLengthFor(pageSize: number): FillLength {
  const [leaf, link] = [pageSize - LEAF_OVERHEAD, pageSize - CHAIN_OVERHEAD];
  return (lengths) => {
    const shortest = payloadOf(lengths, 0);
    for (let links = Math.max(0, Math.ceil((shortest - leaf) / link)); ; links += 1) {
      const pad = padTo(lengths, leaf + links * link);
      if (pad !== undefined) return pad;
    }
  };
}

/**
 * The padding that gives this payload; undefined if there is none, because a longer blob may need up to three more
 * bytes for its encoded length.
 */
function padTo(lengths: readonly number[], payload: number): number | undefined {
  const most = payload - payloadOf(lengths, 0);
  return [most, most - 1, most - 2, most - 3].find((pad) => pad >= 0 && payloadOf(lengths, pad) === payload);
}

/**
 * The payload of a row in bytes: the length of its header, one byte for the id, the types of its blobs, and the blobs.
 */
function payloadOf(lengths: readonly number[], pad: number): number {
  const padded = lengths.map((length, index) => length + (index === lengths.length - 1 ? pad : 0));
  return padded.reduce((sum, length) => sum + varintLength(2 * length + 12) + length, 2);
}

function varintLength(value: number): number {
  return value < 2 ** 7 ? 1 : value < 2 ** 14 ? 2 : value < 2 ** 21 ? 3 : 4;
}
