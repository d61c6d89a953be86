// Lays an object that a batch shares under the same of one call, as text: what comes out is what JSON would write of
// the merged object, and costs what the call brings of its own, however large the shared one is. It is written already, and
// here it is only cut where the call has a say (decision: what a request may cost).

import type { JsonObject } from "../call/call.js";
import { isPlainObject } from "../call/is-plain-object.js";
import type { Refusal } from "../call/refusal.js";
import { tooLarge, utf8Length } from "./measure.js";
import { enclose, isIndex, type JsonText, type SharedObject, type SharedPart, writeField } from "./read-shared.js";

/** The first offence in what of a shared object a call has, if any: its own fields take the place of bad ones. */
export function refusalBehind({ bad, isCut }: SharedObject, own: unknown): Refusal | undefined {
  if (bad.length === 0 && !isCut) return undefined;
  const beyond = isCut ? tooLarge() : undefined;
  if (isAbsent(own)) return bad[0]?.refusal ?? beyond;
  return isPlainObject(own) ? (bad.find(({ key }) => !Object.hasOwn(own, key))?.refusal ?? beyond) : undefined;
}

/** The shared object under a call's own; undefined where the call has something that is no object, which has no merging. */
export function layUnder(shared: SharedObject, own: unknown): JsonText | undefined {
  if (isAbsent(own)) return shared.whole;
  return isPlainObject(own) ? enclose(mergeTexts(shared, own)) : undefined;
}

/** An empty list of integrations is an empty map, as PHP writes it; a context that is one is refused by the decoder. */
function isAbsent(own: unknown): boolean {
  return own === undefined || own === null || (Array.isArray(own) && own.length === 0);
}

/** What stands between two places of the shared text from now on. */
interface Edit {
  /** Twice the place among the shared fields, and one more for what replaces the field there. */
  readonly order: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The fields of both, each with a comma behind it. */
function mergeTexts(shared: SharedObject, own: JsonObject): JsonText {
  const edits: Edit[] = [];
  let { bytes } = shared;
  let behind = "";
  for (const key of Object.keys(own)) {
    const text = writeField(key, own[key]);
    const part = shared.parts.get(key);
    bytes += utf8Length(text) - (part?.bytes ?? 0);
    if (part !== undefined) edits.push({ order: 2 * part.order + 1, start: part.start, end: part.end, text });
    else if (isIndex(key)) edits.push(insertion(shared, Number(key), text));
    else behind += text;
  }
  return { text: applyEdits(shared.text, edits) + behind, bytes };
}

/** Own keys that are indexes come in ascending order, so those that go to the same place stay in it. */
function insertion({ indexed }: SharedObject, index: number, text: string): Edit {
  const next = firstBeyond(indexed, index);
  const last = indexed.at(-1);
  const start = next?.start ?? last?.end ?? 0;
  const order = 2 * (next?.order ?? indexed.length);
  return { order, start, end: start, text };
}

function firstBeyond(indexed: readonly SharedPart[], index: number): SharedPart | undefined {
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
