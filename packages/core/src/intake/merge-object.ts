// Merges a shared object of a batch with the object of one call, as JSON text: the call's own keys win. The shared object is
// written already, so the work depends only on the size of the call's own object (decision: request cost). The
// result is what `JSON.stringify` writes for the merged object. Must not know what the object means.

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { tooLarge, utf8Length } from "./measure.js";
import { enclose, isIndex, type JsonText, type SharedObject, type SharedPart, writeField } from "./read-shared.js";

/** The first broken rule in the shared fields that a call gets. A shared field that the call replaces does not count. */
export function refusalOfMerged({ bad, isCut }: SharedObject, own: unknown): Refusal | undefined {
  if (bad.length === 0 && !isCut) return undefined;
  const ofRest = isCut ? tooLarge() : undefined;
  if (isAbsent(own)) return bad[0]?.refusal ?? ofRest;
  return isPlainObject(own) ? (bad.find(({ key }) => !Object.hasOwn(own, key))?.refusal ?? ofRest) : undefined;
}

/** The merged object; undefined if the call's own value is not an object, so that nothing is merged. */
export function mergeObject(shared: SharedObject, own: unknown): JsonText | undefined {
  if (isAbsent(own)) return shared.whole;
  return isPlainObject(own) ? enclose(mergeTexts(shared, own)) : undefined;
}

/** An empty array counts as an empty object, as PHP writes it. For a context the decoder refuses it anyway. */
function isAbsent(own: unknown): boolean {
  return own === undefined || own === null || (Array.isArray(own) && own.length === 0);
}

/** Replaces the part of the shared text from `start` to `end`. */
interface Edit {
  /**
   * Edits are sorted by it: `2 * i` inserts before the shared field with index `i`, `2 * i + 1` replaces that field.
   */
  readonly order: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The fields of both objects, each followed by a comma. */
function mergeTexts(shared: SharedObject, own: JsonObject): JsonText {
  const edits: Edit[] = [];
  let { bytes } = shared;
  let appended = "";
  for (const key of Object.keys(own)) {
    const text = writeField(key, own[key]);
    const part = shared.parts.get(key);
    bytes += utf8Length(text) - (part?.bytes ?? 0);
    if (part !== undefined) edits.push({ order: 2 * part.order + 1, start: part.start, end: part.end, text });
    else if (isIndex(key)) edits.push(insertion(shared, Number(key), text));
    else appended += text;
  }
  return { text: applyEdits(shared.text, edits) + appended, bytes };
}

/** Integer keys come in ascending order, so several insertions at the same place keep their order. */
function insertion({ indexed }: SharedObject, index: number, text: string): Edit {
  const next = firstAfter(indexed, index);
  const last = indexed.at(-1);
  const start = next?.start ?? last?.end ?? 0;
  const order = 2 * (next?.order ?? indexed.length);
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
  for (const edit of edits.toSorted((one, other) => one.order - other.order)) {
    text += shared.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + shared.slice(at);
}
