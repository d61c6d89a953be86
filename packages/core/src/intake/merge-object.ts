// Merges a shared object of a batch with the object of one call, as JSON text. If both have a key, the call's value is used.
// The shared object is JSON text already, so the work depends only on the size of the call's object (decision: request cost).
// The result is what `JSON.stringify` writes for the merged object.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { tooLarge, utf8Length } from "./measure.js";
import { enclose, isIndex, writeField } from "./read-shared.js";
import type { JsonText, SharedObject, SharedPart } from "./shared-object.js";

/** The refusal for the shared fields that a call gets. A shared field that the call replaces is not considered. */
export function refusalOfMerged({ bad, isCut }: SharedObject, callObject: unknown): Refusal | undefined {
  if (bad.length === 0 && !isCut) return undefined;
  const cutRefusal = isCut ? tooLarge() : undefined;
  if (isAbsent(callObject)) return bad[0]?.refusal ?? cutRefusal;
  if (!isPlainObject(callObject)) return undefined;
  return bad.find(({ key }) => !Object.hasOwn(callObject, key))?.refusal ?? cutRefusal;
}

/** The merged object; undefined if the call has a value that is not an object, so that nothing is merged. */
export function mergeObject(shared: SharedObject, callObject: unknown): JsonText | undefined {
  if (isAbsent(callObject)) return shared.whole;
  return isPlainObject(callObject) ? enclose(mergeTexts(shared, callObject)) : undefined;
}

/** True if the call does not have this object. An empty array counts as an empty object, since PHP writes one as `[]`. */
function isAbsent(callObject: unknown): boolean {
  return callObject === undefined || callObject === null || (Array.isArray(callObject) && callObject.length === 0);
}

/** Replaces the part of the shared text from `start` to `end`. */
interface Edit {
  /**
   * The sort key of the edits: `2 * i` inserts before the shared field with index `i`, `2 * i + 1` replaces that field.
   */
  readonly order: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The fields of the merged object as JSON text, each followed by a comma. */
function mergeTexts(shared: SharedObject, callObject: JsonObject): JsonText {
  const edits: Edit[] = [];
  let { bytes } = shared;
  let appended = "";
  for (const key of Object.keys(callObject)) {
    const text = writeField(key, callObject[key]);
    const part = shared.parts.get(key);
    bytes += utf8Length(text) - (part?.bytes ?? 0);
    if (part !== undefined) edits.push({ order: 2 * part.order + 1, start: part.start, end: part.end, text });
    else if (isIndex(key)) edits.push(insertion(shared, Number(key), text));
    else appended += text;
  }
  return { text: applyEdits(shared.text, edits) + appended, bytes };
}

/** The edit that inserts a field with an integer key. Such keys come in ascending order, and edits keep that order. */
function insertion({ indexed }: SharedObject, index: number, text: string): Edit {
  const nextPart = firstAfter(indexed, index);
  const lastPart = indexed.at(-1);
  const start = nextPart?.start ?? lastPart?.end ?? 0;
  const order = 2 * (nextPart?.order ?? indexed.length);
  return { order, start, end: start, text };
}

function firstAfter(indexed: readonly SharedPart[], index: number): SharedPart | undefined {
  let from = 0;
  let to = indexed.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (Number(indexed[middle]?.key) > index) to = middle;
    else from = middle + 1;
  }
  return indexed[from];
}

function applyEdits(shared: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.order - b.order)) {
    text += shared.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + shared.slice(at);
}
