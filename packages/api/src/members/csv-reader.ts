// Reads members as CSV (RFC 4180): a header names the columns `user_id` or `userId`, and `value`; in a list without a header
// the first column is the user id. Other columns are ignored. A record may have several lines if a cell is quoted.

import { type Columns, HEADERLESS_COLUMNS, HEADER_EXPECTED, looksLikeHeader, readHeader } from "./csv-header.js";
import { type BadLine, type LineReader, NO_MEMBER, type LineResult } from "./line-reader.js";

/** The longest record, in characters; a record may have several lines. */
const MAX_RECORD_LENGTH = 262_144;

interface CsvOptions {
  /** False if the upload says that its first record is a member. */
  readonly hasHeader: boolean;
}

export function createCsvReader({ hasHeader }: CsvOptions): LineReader {
  let columns: Columns | undefined;
  /** The lines of an unfinished record. */
  let open: string[] = [];
  let length = 0;
  let since = 0;

  function readRecord(record: string, line: number): LineResult {
    if (hasBareReturn(record)) return bad(line, "a line feed at the end of each line, not a carriage return alone");
    const cells = cellsOf(record);
    if (cells === undefined) return bad(line, "a quote at both ends of a cell, and doubled within");
    return columns === undefined ? readFirst(cells, { record, line }) : memberOf(cells, columns, line);
  }

  function readFirst(cells: readonly string[], { record, line }: { record: string; line: number }): LineResult {
    if (!hasHeader) {
      columns = HEADERLESS_COLUMNS;
      return looksLikeHeader(cells)
        ? bad(line, "a member, since the upload says header=absent")
        : memberOf(cells, columns, line);
    }
    const header = readHeader(cells, record);
    if (header.kind === "refused") return bad(line, header.expected);
    columns = header.columns;
    return NO_MEMBER;
  }

  return {
    read: (text, number) => {
      if (open.length === 0 && text.trim() === "") return NO_MEMBER;
      if (open.length === 0) [length, since] = [0, number];
      // A line with an odd number of quotes begins a record of several lines, or ends it.
      const isOpen = open.length > 0 !== hasOddQuotes(text);
      open.push(text);
      length += text.length;
      if (length > MAX_RECORD_LENGTH) return bad(since, UNENDED);
      if (isOpen) return NO_MEMBER;
      const record = open.join("\n").replace(/\r$/, "");
      open = [];
      return readRecord(record, since);
    },
    end: () => {
      if (open.length > 0) return bad(since, UNENDED);
      if (columns !== undefined) return undefined;
      return bad(1, hasHeader ? `${HEADER_EXPECTED}; found nothing` : "a member at least; found nothing");
    },
  };
}

const UNENDED = "an end of the quotes";

function memberOf(cells: readonly string[], { userId: at, value: valueAt }: Columns, line: number): LineResult {
  const userId = cells[at];
  if (userId === undefined) return bad(line, "a cell in the column of the user id");
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

const QUOTED_OR_NOT = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/gy;

/** The cells of a record; undefined if its quotes are wrong. */
function cellsOf(record: string): readonly string[] | undefined {
  if (!record.includes('"')) return record.split(",");
  const found = [...record.matchAll(QUOTED_OR_NOT)];
  const length = found.reduce((sum, [cell]) => sum + cell.length, 0);
  if (length !== record.length) return undefined;
  return found.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

function bad(line: number, expected: string): BadLine {
  return { kind: "refused", line, expected };
}
