// Reads the lines of a list of members, as CSV (RFC 4180) or as JSON, one member in each line. A first CSV record that is
// no known header is an error unless the upload says that it has none: if the wrong column were read, all members of
// the audience could leave (decision: member lists). The relay decides which ids and values are allowed.

import type { Member } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";

const NO_MEMBER: LineResult = { kind: "nothing" };

/** The number of characters of an unknown header that the error shows. */
const MAX_SHOWN_LENGTH = 60;

/** The columns of a list without a header: only the first cell of each record is read. */
const HEADERLESS_COLUMNS: Columns = { userId: 0, value: -1 };

const KNOWN_HEADER =
  "a header with one column user_id, userId or userid and at most one column value, separated by commas";

/** The error for a list that is empty or has an unknown header. */
const HEADER_EXPECTED: string = `${KNOWN_HEADER} (if there is none, say so: Content-Type "text/csv; header=absent", or --no-header)`;

/** The longest record, in characters; a record may have several lines. */
const MAX_RECORD_LENGTH = 262_144;

const UNENDED = "an end of the quotes";

const QUOTED_OR_NOT = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/gy;

const EXPECTED = 'JSON: "USER", {"userId":"USER"}, or {"userId":"USER","value":…}';

/** An empty list may also come from a failed export. So a list without members has to be a CSV with only a header. */
const NOT_EMPTY = 'a member at least; found nothing (for no members at all send "user_id" as text/csv)';

/** A CSV list whose only column is quoted ids would also be valid NDJSON. Its header shows that it is CSV. */
const NO_CSV = "JSON; found the header of a CSV (say so: text/csv, or --format csv)";

export type LineResult =
  | { readonly kind: "member"; readonly member: Member | string }
  /** The line gives no member: it is empty, a header, a part of a record, or a user without a value. */
  | { readonly kind: "nothing" }
  | BadLine;

export interface BadLine {
  readonly kind: "refused";
  /** From 1. */
  readonly line: number;
  readonly expected: string;
}

/**
 * Reads a list line by line; `number` counts from 1. `text` has no line feed at its end, but may have a carriage
 * return.
 */
export interface LineReader {
  read(text: string, number: number): LineResult;
  /** The error if the list ends here; undefined if it is complete. */
  end(): BadLine | undefined;
}

interface Columns {
  readonly userId: number;
  /** -1 if there is no column of values. */
  readonly value: number;
}

type HeaderResult =
  { readonly kind: "ok"; readonly columns: Columns } | { readonly kind: "refused"; readonly expected: string };

/** Finds the columns in the cells of the first record. The error shows `record`, cut and escaped. */
function readHeader(cells: readonly string[], record: string): HeaderResult {
  const userIds = columnsOf(cells, isUserIdName);
  const values = columnsOf(cells, (name) => name.toLowerCase() === "value");
  const [userId] = userIds;
  if (userId === undefined || userIds.length > 1 || values.length > 1) {
    return { kind: "refused", expected: `${HEADER_EXPECTED}; found ${escapeRecord(record)}` };
  }
  return { kind: "ok", columns: { userId, value: values[0] ?? -1 } };
}

/** True if the first cell of a record is a name of the column of user ids. */
function looksLikeHeader([first = ""]: readonly string[]): boolean {
  return isUserIdName(first.trim());
}

function isUserIdName(name: string): boolean {
  return /^user_?id$/i.test(name);
}

function columnsOf(cells: readonly string[], isName: (name: string) => boolean): readonly number[] {
  return cells.flatMap((cell, at) => (isName(cell.trim()) ? [at] : []));
}

/** The record as a JSON text. Control and format characters are escaped, since a terminal might act upon them. */
function escapeRecord(record: string): string {
  const start = record.length > MAX_SHOWN_LENGTH ? `${record.slice(0, MAX_SHOWN_LENGTH)}…` : record;
  return JSON.stringify(start).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

interface CsvOptions {
  /** False if the upload says that its first record is a member. */
  readonly hasHeader: boolean;
}

export function createCsvReader({ hasHeader }: CsvOptions): LineReader {
  let columns: Columns | undefined;
  /** The lines of an unfinished record. */
  let openLines: string[] = [];
  let length = 0;
  let firstLine = 0;

  function readRecord(record: string, line: number): LineResult {
    if (hasBareReturn(record))
      return badRecord(line, "a line feed at the end of each line, not a carriage return alone");
    const cells = cellsOf(record);
    if (cells === undefined) return badRecord(line, "a quote at both ends of a cell, and doubled within");
    return columns === undefined ? readFirst(cells, { record, line }) : memberOf(cells, columns, line);
  }

  function readFirst(cells: readonly string[], { record, line }: { record: string; line: number }): LineResult {
    if (!hasHeader) {
      columns = HEADERLESS_COLUMNS;
      return looksLikeHeader(cells)
        ? badRecord(line, "a member, since the upload says header=absent")
        : memberOf(cells, columns, line);
    }
    const header = readHeader(cells, record);
    if (header.kind === "refused") return badRecord(line, header.expected);
    columns = header.columns;
    return NO_MEMBER;
  }

  return {
    read: (text, number) => {
      if (openLines.length === 0 && text.trim() === "") return NO_MEMBER;
      if (openLines.length === 0) {
        length = 0;
        firstLine = number;
      }
      // A line with an odd number of quotes begins a record of several lines, or ends it.
      const isOpen = openLines.length > 0 !== hasOddQuotes(text);
      openLines.push(text);
      length += text.length;
      if (length > MAX_RECORD_LENGTH) return badRecord(firstLine, UNENDED);
      if (isOpen) return NO_MEMBER;
      const record = openLines.join("\n").replace(/\r$/, "");
      openLines = [];
      return readRecord(record, firstLine);
    },
    end: () => {
      if (openLines.length > 0) return badRecord(firstLine, UNENDED);
      if (columns !== undefined) return undefined;
      return badRecord(1, hasHeader ? `${HEADER_EXPECTED}; found nothing` : "a member at least; found nothing");
    },
  };
}

function memberOf(cells: readonly string[], { userId: at, value: valueAt }: Columns, line: number): LineResult {
  const userId = cells[at];
  if (userId === undefined) return badRecord(line, "a cell in the column of the user id");
  if (valueAt === -1) return { kind: "member", member: userId };
  const value = cells[valueAt] ?? "";
  // A user without a value is left out.
  return value === "" ? NO_MEMBER : { kind: "member", member: { userId, value: jsonOf(value) } };
}

/** The cell itself if it is JSON; else the cell as a JSON text. */
function jsonOf(cell: string): string {
  try {
    JSON.parse(cell);
    return cell;
  } catch {
    return JSON.stringify(cell);
  }
}

/** A carriage return outside quotes. A list with such line ends would be read as one single line. */
function hasBareReturn(record: string): boolean {
  return record.includes("\r") && record.replace(/"[^"]*"/g, "").includes("\r");
}

function hasOddQuotes(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

/** The cells of a record; undefined if its quotes are wrong. */
function cellsOf(record: string): readonly string[] | undefined {
  if (!record.includes('"')) return record.split(",");
  const matches = [...record.matchAll(QUOTED_OR_NOT)];
  const length = matches.reduce((sum, [cell]) => sum + cell.length, 0);
  if (length !== record.length) return undefined;
  return matches.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

function badRecord(line: number, expected: string): BadLine {
  return { kind: "refused", line, expected };
}

export function createNdjsonReader(): LineReader {
  let isEmpty = true;
  return {
    read: (text, number) => {
      if (text.trim() === "") return NO_MEMBER;
      const result = readJson(text, number);
      const isFirst = isEmpty;
      isEmpty = false;
      return isFirst && isHeader(result) ? { kind: "refused", line: number, expected: NO_CSV } : result;
    },
    end: () => (isEmpty ? { kind: "refused", line: 1, expected: NOT_EMPTY } : undefined),
  };
}

function isHeader(result: LineResult): boolean {
  return result.kind === "member" && typeof result.member === "string" && looksLikeHeader([result.member]);
}

function readJson(text: string, line: number): LineResult {
  try {
    return readValue(JSON.parse(text), line);
  } catch {
    return badJsonLine(line);
  }
}

function readValue(value: unknown, line: number): LineResult {
  const plain = idOf(value);
  if (plain !== undefined) return { kind: "member", member: plain };
  if (!isPlainObject(value)) return badJsonLine(line);
  const { userId, value: trait, ...others } = value;
  const id = idOf(userId);
  if (id === undefined || Object.keys(others).length > 0) return badJsonLine(line);
  return { kind: "member", member: trait === undefined ? id : { userId: id, value: JSON.stringify(trait) } };
}

/** A safe integer is a user id as well, as in calls (decision: leniency). */
function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function badJsonLine(line: number): BadLine {
  return { kind: "refused", line, expected: EXPECTED };
}
