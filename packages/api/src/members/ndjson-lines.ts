// Members as JSON, one in each line: "u1", or {"userId":"u1"}, or {"userId":"u1","value":3}. What a member may be is the
// relay's to say; here it only gets its shape.

import { isPlainObject } from "@postrider/core";
import { type BadLine, type LineReader, NOTHING, type ReadLine } from "./line-reader.js";

const EXPECTED = 'JSON: "USER", {"userId":"USER"}, or {"userId":"USER","value":…}';

export function createNdjsonLines(): LineReader {
  return {
    read: (text, number) => (text.trim() === "" ? NOTHING : readJson(text, number)),
    end: () => undefined,
  };
}

function readJson(text: string, line: number): ReadLine {
  try {
    return readValue(JSON.parse(text), line);
  } catch {
    return bad(line);
  }
}

function readValue(value: unknown, line: number): ReadLine {
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
  return { kind: "bad", line, expected: EXPECTED };
}
