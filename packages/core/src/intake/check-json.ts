// Decides whether a call can be written as JSON: no bigint, at most 64 levels and 32,768 bytes (decision: request limits).
// Values that JSON leaves out, such as functions, are not refused. Scans the whole call, but stops at the size limit: a part that a host's
// object contains many times is huge as JSON (decision: calls as objects). Sees only JSON, not the fields of a call.

import type { JsonObject } from "../call/call.js";
import { isPlainObject, hasToJson } from "../call/is-plain-object.js";
import { pathOf, type Place, ROOT_PLACE } from "../call/path.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES, MAX_DEPTH, MAX_IMPRECISE_TOLD } from "../limits.js";
import { tooLarge } from "./measure.js";

/**
 * The refusal for the first rule that a value breaks, or undefined. The value itself is level 1. The size check is a lower
 * bound: a value that passes may still exceed 32,768 bytes; see `checkSize`.
 */
export function checkJson(value: unknown): Refusal | undefined {
  return checkAt(value, TOP, startScan());
}

/** The result of scanning a call. */
export interface CallScan {
  /** For the first broken rule. If absent, the call may still be too large: in some cases only writing it shows that. */
  readonly refusal: Refusal | undefined;
  /** An upper bound of the bytes of the call as JSON. */
  readonly maxBytes: number;
  /** The cost of the scan: UTF-16 units of texts and keys, plus about 48 for each value. */
  readonly cost: number;
  /** The paths of imprecise numbers, at most three; undefined if there are none: see `isExact`. */
  readonly imprecise: readonly string[] | undefined;
}

/** Scans the fields that a call itself has, its `context` included. Those that its batch shares are scanned by `scanField`. */
export function scanCall(call: JsonObject): CallScan {
  const scan = startScan();
  const refusal = checkAt(call, TOP, scan);
  const cost = MAX_CALL_BYTES - scan.bytesLeft + scan.values * VALUE_UNITS;
  return { refusal, maxBytes: maxBytesOf(scan), cost, imprecise: scan.imprecise };
}

/** The result of scanning a field of a shared object. */
export interface FieldScan extends Pick<CallScan, "refusal" | "imprecise"> {
  /** The size of the scanned part: UTF-16 units of texts and keys, plus one or two for each value. */
  readonly units: number;
  /** The cost of the scan, as that of a call. */
  readonly cost: number;
}

/** Scans one field of a shared object: `parent.key`, such as `context.page`. It may be as large as a whole call. */
export function scanField(parent: string, key: string, field: unknown): FieldScan {
  const scan = startScan();
  const place = { parent: TOP, step: parent, level: TOP.level + 1 };
  const refusal = checkField(key, field, { parent: place, scan });
  const units = MAX_CALL_BYTES - scan.bytesLeft + scan.values;
  return { refusal, units, cost: units + scan.values * VALUE_UNITS, imprecise: scan.imprecise };
}

/** The refusal of a call with a bigint at `path`, which JSON does not have. */
export function noBigint(path: string): Refusal {
  return { code: "number-not-finite", path, expected: "a number that JSON can carry" };
}

/** The refusal of a call with an object or array at `path` that is nested too deep. */
export function tooDeep(path: string): Refusal {
  return { code: "too-deep", path, expected: `at most ${String(MAX_DEPTH)} levels` };
}

interface LevelPlace extends Place {
  readonly level: number;
}

const TOP: LevelPlace = { ...ROOT_PLACE, level: 1 };

/** The running totals of a scan. */
interface Scan {
  /**
   * The bytes that may still follow. A text or a key subtracts its length, any other value subtracts one: never more than it
   * takes in JSON.
   */
  bytesLeft: number;
  /** The number of values so far. A value and its key count as one, a deep value as two. */
  values: number;
  /** True if all values so far are plain JSON: no date, no function, no instance of a class. */
  isPlain: boolean;
  imprecise: string[] | undefined;
}

function startScan(): Scan {
  return { bytesLeft: MAX_CALL_BYTES, values: 1, isPlain: true, imprecise: undefined };
}

/** A value takes at least as long to scan and to write as this many UTF-16 units of text (decision: event-loop turns). */
const VALUE_UNITS = 48;
/** Beyond this level an object or a list counts twice: the deeper it is, the longer it takes to write. */
const DEEP_LEVEL = 8;
/** Most bytes that one UTF-16 unit takes in JSON: an escape is longer than any character in UTF-8. */
const UNIT_BYTES = 6;
/** Most bytes that a value takes beside its texts: the longest number, two quotes around a key, a colon and a comma. */
const VALUE_BYTES = 29;

/** An upper bound of the bytes; Infinity if a value is not plain JSON, since its `toJSON` may write any text. */
function maxBytesOf({ bytesLeft, values, isPlain }: Scan): number {
  return isPlain ? (MAX_CALL_BYTES - bytesLeft) * UNIT_BYTES + values * VALUE_BYTES : Infinity;
}

function checkAt(value: unknown, place: LevelPlace, scan: Scan): Refusal | undefined {
  if (isPlainObject(value) || isPlainList(value)) return checkWithin(value, place, scan);
  if (typeof value === "number") {
    noteNumber(value, place, scan);
    return undefined;
  }
  scan.isPlain = false;
  const jsonValue = asWritten(value);
  if (typeof jsonValue === "number") noteNumber(jsonValue, place, scan);
  // JSON has no bigint, and `JSON.stringify` throws on it.
  if (typeof jsonValue === "bigint") return noBigint(pathOf(place));
  if (typeof jsonValue === "string") return spend(scan, jsonValue.length);
  return typeof jsonValue === "object" && jsonValue !== null ? checkWithin(jsonValue, place, scan) : undefined;
}

/**
 * A number that is not exact is not refused: it is reported, and delivered as the parser has read it. One that is not finite is written as
 * null (decision: calls of a host).
 */
function noteNumber(value: number, place: LevelPlace, scan: Scan): void {
  if (isExact(value)) return;
  scan.imprecise ??= [];
  if (scan.imprecise.length < MAX_IMPRECISE_TOLD) scan.imprecise.push(pathOf(place));
}

function checkWithin(container: object, place: LevelPlace, scan: Scan): Refusal | undefined {
  if (place.level > MAX_DEPTH) return tooDeep(pathOf(place));
  if (place.level > DEEP_LEVEL) scan.values += 1;
  return Array.isArray(container) ? checkItems(container, place, scan) : checkFields(container, place, scan);
}

function checkItems(items: readonly unknown[], parent: LevelPlace, scan: Scan): Refusal | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    scan.values += 1;
    const refusal =
      spend(scan, lengthOf(item)) ??
      (isLeaf(item) ? undefined : checkAt(item, { parent, step: index, level: parent.level + 1 }, scan));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkFields(fields: object, parent: LevelPlace, scan: Scan): Refusal | undefined {
  const target = { parent, scan };
  for (const key of Object.keys(fields)) {
    const refusal = checkField(key, Reflect.get(fields, key), target);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The place of an object whose fields are scanned, and the scan. */
interface FieldTarget {
  readonly parent: LevelPlace;
  readonly scan: Scan;
}

function checkField(key: string, field: unknown, { parent, scan }: FieldTarget): Refusal | undefined {
  // JSON leaves out a field that is undefined, with its key.
  if (field === undefined) return undefined;
  scan.values += 1;
  return (
    spend(scan, key.length + lengthOf(field)) ??
    (isLeaf(field) ? undefined : checkAt(field, { parent, step: key, level: parent.level + 1 }, scan))
  );
}

function spend(scan: Scan, bytes: number): Refusal | undefined {
  scan.bytesLeft -= bytes;
  return scan.bytesLeft < 0 ? tooLarge() : undefined;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 1;
}

/** True if a value needs no further check. Most values need none. */
function isLeaf(value: unknown): boolean {
  if (typeof value === "number") return isExact(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/**
 * False for a number beyond 2^53, where a parser may have taken the nearest number to the one that was written (RFC 8259, 6), and for NaN
 * and Infinity. True for all others, fractions included.
 */
function isExact(value: number): boolean {
  return value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !hasToJson(value);
}

/** The value that JSON writes: the result of `toJSON` where there is one, otherwise the value itself. */
function asWritten(value: unknown): unknown {
  return typeof value === "object" && value !== null && hasToJson(value) ? value.toJSON() : value;
}
