// Decides whether a call can be written back as JSON just as it came: no number that JSON lacks, no nesting that a
// writer chokes on, no more bytes than a call may have (decision: limits of the way in). Looks at the whole call, since all
// of it is measured, but at no more of it than a call may hold: a host's objects can be small and write without end
// (decision: values of a host).

import type { JsonObject } from "../call/call.js";
import { isPlainObject, writesItself } from "../call/is-plain-object.js";
import { pathOf, type Place, ROOT_PLACE } from "../call/path.js";
import type { Refusal } from "../call/refusal.js";
import { MAX_CALL_BYTES, MAX_DEPTH } from "../limits.js";
import { tooLarge } from "./measure.js";

/** The first offence in a value, or undefined. The value itself is level 1. Its size is not measured to the byte. */
export function checkJson(value: unknown): Refusal | undefined {
  return checkAt(value, TOP, lookAnew());
}

/** What one look at a call has found. */
export interface SeenCall {
  /** The first offence; a size that only writing would tell is none. */
  readonly refusal: Refusal | undefined;
  /** More bytes than this the call is not, written as JSON. */
  readonly atMostBytes: number;
  /** What the look has cost: the units of texts and keys, and for each value as much as for so many units. */
  readonly seen: number;
}

/** Looks at a call by itself, without what it shares with others. */
export function lookAtCall(call: JsonObject): SeenCall {
  const look = lookAnew();
  const refusal = checkAt(call, TOP, look);
  return { refusal, atMostBytes: bytesAtMost(look), seen: MAX_CALL_BYTES - look.left + look.values * VALUE_UNITS };
}

/** What one look at a field of a shared object has found. */
export interface SeenField extends Pick<SeenCall, "refusal"> {
  /** How much was looked at: the units of texts and keys, and the values. */
  readonly seen: number;
}

/** Looks at a field of the call's own field `parent`, with all that a call may hold for itself. */
export function lookAtField(parent: string, key: string, field: unknown): SeenField {
  const look = lookAnew();
  const place = { parent: TOP, step: parent, level: TOP.level + 1 };
  const refusal = checkField(key, field, { parent: place, look });
  return { refusal, seen: MAX_CALL_BYTES - look.left + look.values };
}

/** The refusal of a call with a number at `path` that JSON lacks. */
export function notFinite(path: string): Refusal {
  return { code: "number-not-finite", path, expected: "a number that JSON can carry" };
}

/** The refusal of a call with a container at `path` that lies too deep. */
export function tooDeep(path: string): Refusal {
  return { code: "too-deep", path, expected: `at most ${String(MAX_DEPTH)} levels` };
}

interface LevelPlace extends Place {
  readonly level: number;
}

const TOP: LevelPlace = { ...ROOT_PLACE, level: 1 };

/** What has been seen of a call. */
interface Look {
  /** What is left of the longest call. Counted low: a text takes its length at least, anything else a byte. */
  left: number;
  /** Values with their keys. */
  values: number;
  /** Whether there was nothing that JSON does not know: a date, a function, an instance of a class. */
  isPlain: boolean;
}

function lookAnew(): Look {
  return { left: MAX_CALL_BYTES, values: 1, isPlain: true };
}

/** A value costs as much to look at and to write as so many units of text, or more (decision: turns of the loop). */
const VALUE_UNITS = 48;
/** Bytes that one unit of a text may become: an escape is longer than any character in UTF-8. */
const UNIT_BYTES = 6;
/** Bytes that a value may take beside its texts: the longest number, two quotes about a key, a colon and a comma. */
const VALUE_BYTES = 29;

/** Counted high. How long it is what writes itself, nobody knows. */
function bytesAtMost({ left, values, isPlain }: Look): number {
  return isPlain ? (MAX_CALL_BYTES - left) * UNIT_BYTES + values * VALUE_BYTES : Infinity;
}

function checkAt(value: unknown, place: LevelPlace, look: Look): Refusal | undefined {
  if (isPlainObject(value) || isPlainList(value)) return checkWithin(value, place, look);
  look.isPlain = false;
  const written = asWritten(value);
  if (typeof written === "number" && !Number.isFinite(written)) return notFinite(pathOf(place));
  // JSON has no such number either, and `JSON.stringify` throws on it.
  if (typeof written === "bigint") return notFinite(pathOf(place));
  if (typeof written === "string") return take(look, written.length);
  return typeof written === "object" && written !== null ? checkWithin(written, place, look) : undefined;
}

function checkWithin(container: object, place: LevelPlace, look: Look): Refusal | undefined {
  if (place.level > MAX_DEPTH) return tooDeep(pathOf(place));
  return Array.isArray(container) ? checkItems(container, place, look) : checkFields(container, place, look);
}

function checkItems(items: readonly unknown[], parent: LevelPlace, look: Look): Refusal | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    look.values += 1;
    const refusal =
      take(look, lengthOf(item)) ??
      (isLeaf(item) ? undefined : checkAt(item, { parent, step: index, level: parent.level + 1 }, look));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkFields(fields: object, parent: LevelPlace, look: Look): Refusal | undefined {
  const within = { parent, look };
  for (const key of Object.keys(fields)) {
    const refusal = checkField(key, Reflect.get(fields, key), within);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

interface Within {
  readonly parent: LevelPlace;
  readonly look: Look;
}

function checkField(key: string, field: unknown, { parent, look }: Within): Refusal | undefined {
  // JSON leaves such a field out, key and all.
  if (field === undefined) return undefined;
  look.values += 1;
  return (
    take(look, key.length + lengthOf(field)) ??
    (isLeaf(field) ? undefined : checkAt(field, { parent, step: key, level: parent.level + 1 }, look))
  );
}

function take(look: Look, bytes: number): Refusal | undefined {
  look.left -= bytes;
  return look.left < 0 ? tooLarge() : undefined;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 1;
}

/** Most values are harmless at a glance. */
function isLeaf(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && !writesItself(value);
}

/** What JSON writes of a value, where that is something else: a date is a text, whatever its fields are. */
function asWritten(value: unknown): unknown {
  return typeof value === "object" && value !== null && writesItself(value) ? value.toJSON() : value;
}
