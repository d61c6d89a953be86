// Decides whether a call can be written back as JSON just as it came: no number that JSON lacks, no nesting that a
// writer chokes on (decision: limits of the way in). Looks at the whole call, since all of it is measured.

import { pathTo } from "../call/path.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_DEPTH } from "../limits.js";

/** The first offence in a value, or undefined. The value itself is level 1. */
export function checkJson(value: unknown): Refusal | undefined {
  return checkAt(value, "", 1);
}

function checkAt(value: unknown, path: string, level: number): Refusal | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return notFinite(path);
  // JSON has no such number either, and `JSON.stringify` throws on it.
  if (typeof value === "bigint") return notFinite(path);
  if (typeof value !== "object" || value === null) return undefined;
  if (level > MAX_DEPTH) return { code: "too-deep", path, expected: `at most ${String(MAX_DEPTH)} levels` };
  return Array.isArray(value) ? checkItems(value, path, level) : checkFields(value, path, level);
}

function checkItems(items: readonly unknown[], path: string, level: number): Refusal | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const refusal = isLeaf(item) ? undefined : checkAt(item, pathTo(path, index), level + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkFields(fields: object, path: string, level: number): Refusal | undefined {
  for (const [key, field] of Object.entries(fields) as [string, unknown][]) {
    const refusal = isLeaf(field) ? undefined : checkAt(field, pathTo(path, key), level + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Most values are harmless at a glance; their path is not worth writing. */
function isLeaf(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

function notFinite(path: string): Refusal {
  return { code: "number-not-finite", path, expected: "a number that JSON can carry" };
}
