// Writes a value of a host as JSON does, and holds it to the rules of the way in while it does so: no number that JSON
// lacks, no nesting that a writer chokes on, no more than a call may hold (decision: values of a host). It looks at each
// value once, so that what is checked is what is written, whatever a getter answers the next time.

import type { JsonObject } from "../call/call.js";
import { writesItself } from "../call/is-plain-object.js";
import { pathTo } from "../call/path.js";
import type { Refusal } from "../call/refusal.js";
import { notFinite, tooDeep } from "../intake/check-json.js";
import { tooLarge, utf8Length } from "../intake/measure.js";
import { MAX_DEPTH } from "../limits.js";

/** What is known of a call while it is written. */
export interface Draft {
  /** The bytes that may still come. Counted low: a text takes its length at least, anything else a byte. */
  left: number;
  /** By how much the UTF-8 bytes of all texts so far are more than their length. */
  beyond: number;
}

/** What is wrong with a value, and the steps that lead to where. */
export interface Offence {
  readonly steps: readonly (string | number)[];
  readonly refuse: (path: string) => Refusal;
}

/** The refusal of a call that holds this offence in its field of this name. */
export function refusalOf({ steps, refuse }: Offence, name: string): Refusal {
  return refuse(steps.reduce<string>(pathTo, name));
}

/** A value at this level, or what is wrong with it. */
export function writeJson(value: unknown, level: number, draft: Draft): string | Offence {
  draft.left -= typeof value === "string" ? value.length : 1;
  if (draft.left < 0) return TOO_LARGE;
  if (typeof value === "string") return `"${escaped(value, draft)}"`;
  // JSON has no bigint either, and `JSON.stringify` throws on it.
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))) return NOT_FINITE;
  if (typeof value !== "object" || value === null) return String(value);
  if (level > MAX_DEPTH) return TOO_DEEP;
  return Array.isArray(value) ? writeItems(value, level, draft) : writeFields(value as JsonObject, level, draft);
}

/** A text as it stands between quotes. */
export function escaped(text: string, draft: Draft): string {
  // Most texts stand there as they are, which is known at one look of the platform.
  if (!UNPLAIN.test(text)) return text;
  const inner = JSON.stringify(text).slice(1, -1);
  draft.beyond += utf8Length(inner) - inner.length;
  return inner;
}

const UNPLAIN = /[^ !#-[\]-~]/;

function writeFields(fields: JsonObject, level: number, draft: Draft): string | Offence {
  let text = "";
  for (const key of Object.keys(fields)) {
    const field = asWritten(fields[key], key);
    if (isLeftOut(field)) continue;
    draft.left -= key.length;
    const written = writeJson(field, level + 1, draft);
    if (typeof written !== "string") return behind(key, written);
    text += `${text === "" ? '"' : ',"'}${escaped(key, draft)}":${written}`;
  }
  return `{${text}}`;
}

function writeItems(items: readonly unknown[], level: number, draft: Draft): string | Offence {
  let text = "";
  for (let index = 0; index < items.length; index += 1) {
    const item = asWritten(items[index], index);
    const written = writeJson(isLeftOut(item) ? null : item, level + 1, draft);
    if (typeof written !== "string") return behind(index, written);
    text += index === 0 ? written : `,${written}`;
  }
  return `[${text}]`;
}

function behind(step: string | number, { steps, refuse }: Offence): Offence {
  return { steps: [step, ...steps], refuse };
}

const NOT_FINITE: Offence = { steps: [], refuse: notFinite };
const TOO_DEEP: Offence = { steps: [], refuse: tooDeep };
const TOO_LARGE: Offence = { steps: [], refuse: tooLarge };

/** What JSON leaves out of an object, key and all, and writes as null in a list. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** What JSON writes of a value, where that is something else: a date is a text, whatever its fields are. */
function asWritten(value: unknown, key: string | number): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const written: unknown = writesItself(value) ? value.toJSON(String(key)) : value;
  return isBoxed(written) ? written.valueOf() : written;
}

function isBoxed(value: unknown): value is object {
  return value instanceof String || value instanceof Number || value instanceof Boolean || value instanceof BigInt;
}
