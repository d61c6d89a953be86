// Members as CSV (RFC 4180): a header names the columns `user_id` or `userId`, and `value`; without one, the first column
// is the user id, and no other is looked at. A record may go over several lines where a cell has quotes around it.

import { type BadLine, type LineReader, NOTHING, type ReadLine } from "./line-reader.js";

/** Longest record that goes over several lines, in characters. */
const MAX_RECORD_LENGTH = 262_144;

interface Columns {
  readonly userId: number;
  /** -1: there is none. */
  readonly value: number;
}

const FIRST_COLUMN: Columns = { userId: 0, value: -1 };

export function createCsvLines(): LineReader {
  let columns: Columns | undefined;
  /** The lines of a record that goes on; none if there is none. */
  let open: string[] = [];
  let length = 0;
  let since = 0;

  function readRecord(record: string, line: number): ReadLine {
    const cells = cellsOf(record);
    if (cells === undefined) return bad(line, "a quote at both ends of a cell, and doubled within");
    if (columns !== undefined) return memberOf(cells, columns, line);
    const header = headerOf(cells);
    columns = header ?? FIRST_COLUMN;
    return header === undefined ? memberOf(cells, columns, line) : NOTHING;
  }

  return {
    read: (text, number) => {
      if (open.length === 0 && text.trim() === "") return NOTHING;
      if (open.length === 0) [length, since] = [0, number];
      // The first line of a record opens it, a later one closes it.
      const isOpen = open.length > 0 !== hasOddQuotes(text);
      open.push(text);
      length += text.length;
      if (length > MAX_RECORD_LENGTH) return bad(since, UNENDED);
      if (isOpen) return NOTHING;
      const record = open.join("\n").replace(/\r$/, "");
      open = [];
      return readRecord(record, since);
    },
    end: () => (open.length === 0 ? undefined : bad(since, UNENDED)),
  };
}

const UNENDED = "an end of the quotes";

function memberOf(cells: readonly string[], { userId: at, value: valueAt }: Columns, line: number): ReadLine {
  const userId = cells[at];
  if (userId === undefined) return bad(line, "a cell in the column of the user id");
  if (valueAt === -1) return { kind: "member", member: userId };
  const value = cells[valueAt] ?? "";
  // Who has no value is left out.
  return value === "" ? NOTHING : { kind: "member", member: { userId, value: jsonOf(value) } };
}

/** What a cell says, if it is JSON; else it is a text. */
function jsonOf(cell: string): string {
  try {
    JSON.parse(cell);
    return cell;
  } catch {
    return JSON.stringify(cell);
  }
}

function headerOf(cells: readonly string[]): Columns | undefined {
  const userId = cells.findIndex((cell) => /^user_?id$/i.test(cell.trim()));
  const value = cells.findIndex((cell) => cell.trim().toLowerCase() === "value");
  return userId === -1 ? undefined : { userId, value };
}

function hasOddQuotes(text: string): boolean {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes += 1;
  return quotes % 2 === 1;
}

const QUOTED_OR_NOT = /(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/gy;

/** The cells of a record; undefined if its quotes are not as they should be. */
function cellsOf(record: string): readonly string[] | undefined {
  if (!record.includes('"')) return record.split(",");
  const found = [...record.matchAll(QUOTED_OR_NOT)];
  const length = found.reduce((sum, [cell]) => sum + cell.length, 0);
  if (length !== record.length) return undefined;
  return found.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

function bad(line: number, expected: string): BadLine {
  return { kind: "bad", line, expected };
}
