// Decides whether a call can be written back as JSON just as it came: no number that JSON lacks, no nesting that a
// writer chokes on (decision: limits of the way in). Looks at the whole call, since all of it is measured, but at no
// more of it than a call may hold: a host's objects can be small and write without end (decision: values of a host).

import { writesItself } from "../call/is-plain-object.js";
import { pathTo } from "../call/path.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES, MAX_DEPTH } from "../limits.js";
import { tooLarge } from "./measure.js";

/** The first offence in a value, or undefined. The value itself is level 1. */
export function checkJson(value: unknown): Refusal | undefined {
  return checkAt(value, { path: "", level: 1 }, { bytes: MAX_CALL_BYTES });
}

/** The refusal of a call with a number at `path` that JSON lacks. */
export function notFinite(path: string): Refusal {
  return { code: "number-not-finite", path, expected: "a number that JSON can carry" };
}

/** The refusal of a call with a container at `path` that lies too deep. */
export function tooDeep(path: string): Refusal {
  return { code: "too-deep", path, expected: `at most ${String(MAX_DEPTH)} levels` };
}

interface Place {
  readonly path: string;
  readonly level: number;
}

/** What is left of the longest call. Counted low: a text takes its length at least, anything else a byte. */
interface Left {
  bytes: number;
}

function checkAt(value: unknown, place: Place, left: Left): Refusal | undefined {
  const written = asWritten(value);
  if (typeof written === "number" && !Number.isFinite(written)) return notFinite(place.path);
  // JSON has no such number either, and `JSON.stringify` throws on it.
  if (typeof written === "bigint") return notFinite(place.path);
  if (typeof written === "string") return take(left, written.length);
  if (typeof written !== "object" || written === null) return undefined;
  if (place.level > MAX_DEPTH) return tooDeep(place.path);
  return Array.isArray(written) ? checkItems(written, place, left) : checkFields(written, place, left);
}

function checkItems(items: readonly unknown[], { path, level }: Place, left: Left): Refusal | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    const refusal =
      take(left, lengthOf(item)) ??
      (isLeaf(item) ? undefined : checkAt(item, { path: pathTo(path, index), level: level + 1 }, left));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkFields(fields: object, { path, level }: Place, left: Left): Refusal | undefined {
  for (const key of Object.keys(fields)) {
    const field: unknown = Reflect.get(fields, key);
    // JSON leaves such a field out, key and all.
    if (field === undefined) continue;
    const refusal =
      take(left, key.length + lengthOf(field)) ??
      (isLeaf(field) ? undefined : checkAt(field, { path: pathTo(path, key), level: level + 1 }, left));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function take(left: Left, bytes: number): Refusal | undefined {
  left.bytes -= bytes;
  return left.bytes < 0 ? tooLarge() : undefined;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 1;
}

/** Most values are harmless at a glance; their path is not worth writing. */
function isLeaf(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

/** What JSON writes of a value, where that is something else: a date is a text, whatever its fields are. */
function asWritten(value: unknown): unknown {
  return typeof value === "object" && value !== null && writesItself(value) ? value.toJSON() : value;
}
