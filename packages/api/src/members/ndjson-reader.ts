// Reads members as JSON, one in each line: "u1", or {"userId":"u1"}, or {"userId":"u1","value":3}. Which ids and values are
// allowed is decided by the relay.

import { isPlainObject } from "@postrider/core/engine";
import { looksLikeHeader } from "./csv-header.js";
import { type BadLine, type LineReader, NO_MEMBER, type LineResult } from "./line-reader.js";

const EXPECTED = 'JSON: "USER", {"userId":"USER"}, or {"userId":"USER","value":…}';

/** An empty list may also come from a failed export. So a list without members has to be a CSV with only a header. */
const NOT_EMPTY = 'a member at least; found nothing (for no members at all send "user_id" as text/csv)';

/** A CSV list whose only column is quoted ids would also be valid NDJSON. Its header shows that it is CSV. */
const NO_CSV = "JSON; found the header of a CSV (say so: text/csv, or --format csv)";

export function createNdjsonReader(): LineReader {
  let isEmpty = true;
  return {
    read: (text, number) => {
      if (text.trim() === "") return NO_MEMBER;
      const read = readJson(text, number);
      const isFirst = isEmpty;
      isEmpty = false;
      return isFirst && isHeader(read) ? { kind: "refused", line: number, expected: NO_CSV } : read;
    },
    end: () => (isEmpty ? { kind: "refused", line: 1, expected: NOT_EMPTY } : undefined),
  };
}

function isHeader(read: LineResult): boolean {
  return read.kind === "member" && typeof read.member === "string" && looksLikeHeader([read.member]);
}

function readJson(text: string, line: number): LineResult {
  try {
    return readValue(JSON.parse(text), line);
  } catch {
    return bad(line);
  }
}

function readValue(value: unknown, line: number): LineResult {
  const plain = idOf(value);
  if (plain !== undefined) return { kind: "member", member: plain };
  if (!isPlainObject(value)) return bad(line);
  const { userId, value: trait, ...others } = value;
  const id = idOf(userId);
  if (id === undefined || Object.keys(others).length > 0) return bad(line);
  return { kind: "member", member: trait === undefined ? id : { userId: id, value: JSON.stringify(trait) } };
}

/** A safe integer is a user id as well, as in calls (decision: leniency). */
function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function bad(line: number): BadLine {
  return { kind: "refused", line, expected: EXPECTED };
}
