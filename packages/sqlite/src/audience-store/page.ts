// Packs members into pages: a line with the user ids as JSON, a line with their values, then blanks up to the end of the file page, so
// that no two rows share a file page. The checksum covers the name of the set too: if a page of another set were read, receivers would be
// told about users that are not members (decision: checksums).

import { createStoreError, type Member } from "@postrider/core";
import { type FillLength, filledText, textOf } from "../rows/filled-text.js";
import { readMaybeBytes, readNumber, type Row, textsSum } from "../rows/rows.js";

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
  const userIdsJson = JSON.stringify(members.map(({ userId }) => userId));
  const hasValues = members.some(({ value }) => value !== undefined);
  const valuesJson = hasValues ? JSON.stringify(members.map(({ value }) => value ?? null)) : "";
  return pageOf(
    set,
    { firstId: members[0]?.userId ?? "", lastId: members.at(-1)?.userId ?? "", userIdsJson, valuesJson },
    filling,
  );
}

interface PageTexts {
  readonly firstId: string;
  readonly lastId: string;
  readonly userIdsJson: string;
  /** The values as JSON; empty if no member has a value. */
  readonly valuesJson: string;
}

function pageOf(set: string, { firstId, lastId, userIdsJson, valuesJson }: PageTexts, filling: FillLength): Page {
  const lastKey = sortKey(lastId);
  const bytes = filledText(`${userIdsJson}\n${valuesJson}`, (length) => filling([lastKey.length, length]));
  return { firstId, lastKey, bytes, checksum: textsSum([set, userIdsJson, valuesJson]) };
}

/** The columns that `unpackPage` reads, of `member_page m` at `member_place p`. */
export const PAGE_COLUMNS = "m.last_id, m.bytes, p.checksum";

/** The members of a page of this set. Throws if the page differs from what was stored. */
export function unpackPage(set: string, row: Row): readonly Member[] {
  const text = textOf(readMaybeBytes(row, "bytes"));
  const end = text.indexOf("\n");
  const userIdsJson = text.slice(0, end);
  const valuesJson = text.slice(end + 1);
  if (end === -1 || readNumber(row, "checksum") !== textsSum([set, userIdsJson, valuesJson])) throw damageError(set);
  // Safe cast: the checksum shows that `packPage` wrote this text.
  const ids = JSON.parse(userIdsJson) as readonly string[];
  if (!isKeyOf(ids.at(-1) ?? "", readMaybeBytes(row, "last_id"))) throw damageError(set);
  if (valuesJson === "") return ids.map((userId) => ({ userId }));
  const values = JSON.parse(valuesJson) as readonly (string | null)[];
  return ids.map((userId, at) => memberOf(userId, values[at] ?? null));
}

/** True if the stored key is that of the last member: a wrong key would put the page at a wrong place in the set. */
function isKeyOf(userId: string, key: Uint8Array | undefined): boolean {
  const expected = sortKey(userId);
  return key?.length === expected.length && expected.every((byte, at) => key[at] === byte);
}

function damageError(set: string): Error {
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
