// Writes a host's value as `JSON.stringify` does, and checks the rules of ingest at the same time: no bigint, at most 64 levels, at most
// the size of a call (decision: calls of a host). Reads each value once, so that the checked value is the written one, even if a getter
// answers something else the next time.

import type { JsonObject } from "../call/call.js";
import { asWritten } from "../call/host-value.js";
import { pathTo } from "../call/path.js";
import type { Refusal } from "../call/refusal.js";
import { noBigint, tooDeep } from "../intake/check-json.js";
import { tooLarge, utf8Length } from "../intake/measure.js";
import { MAX_DEPTH } from "../limits.js";

/** The running totals of a call while it is written. */
export interface WriteTotals {
  /** The bytes of a call that are left. Each value takes a lower bound of its bytes: the length of a text, otherwise one. */
  left: number;
  /** The UTF-8 bytes of all texts so far, minus their length in UTF-16 units. */
  extraBytes: number;
}

/** A broken rule, and the keys and indexes that lead to the value. */
export interface BrokenJsonRule {
  readonly steps: readonly (string | number)[];
  readonly refuse: (path: string) => Refusal;
}

/** The refusal of a call with a broken rule in its field `name`. */
export function refusalOf({ steps, refuse }: BrokenJsonRule, name: string): Refusal {
  return refuse(steps.reduce<string>(pathTo, name));
}

/** The JSON text of a value at this level of nesting, or the first rule that it breaks. Throws if a getter throws. */
export function writeJson(value: unknown, level: number, totals: WriteTotals): string | BrokenJsonRule {
  totals.left -= typeof value === "string" ? value.length : 1;
  if (totals.left < 0) return TOO_LARGE;
  if (typeof value === "string") return `"${escapeJson(value, totals)}"`;
  // JSON has no bigint, and `JSON.stringify` throws on it.
  if (typeof value === "bigint") return NO_BIGINT;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  if (typeof value !== "object" || value === null) return String(value);
  if (level > MAX_DEPTH) return TOO_DEEP;
  return Array.isArray(value) ? writeItems(value, level, totals) : writeFields(value as JsonObject, level, totals);
}

/** A text as JSON writes it between the quotes. */
export function escapeJson(text: string, totals: WriteTotals): string {
  // Most texts need no escape. One native regular expression is the fastest way to find texts that do.
  if (!TO_ESCAPE.test(text)) return text;
  const inner = JSON.stringify(text).slice(1, -1);
  totals.extraBytes += utf8Length(inner) - inner.length;
  return inner;
}

const TO_ESCAPE = /[^ !#-[\]-~]/;

function writeFields(fields: JsonObject, level: number, totals: WriteTotals): string | BrokenJsonRule {
  let text = "";
  for (const key of Object.keys(fields)) {
    const field = asWritten(fields[key], key);
    if (isLeftOut(field)) continue;
    totals.left -= key.length;
    const fieldJson = writeJson(field, level + 1, totals);
    if (typeof fieldJson !== "string") return prefixed(key, fieldJson);
    text += `${text === "" ? '"' : ',"'}${escapeJson(key, totals)}":${fieldJson}`;
  }
  return `{${text}}`;
}

function writeItems(items: readonly unknown[], level: number, totals: WriteTotals): string | BrokenJsonRule {
  let text = "";
  for (let index = 0; index < items.length; index += 1) {
    const item = asWritten(items[index], index);
    const itemJson = writeJson(isLeftOut(item) ? null : item, level + 1, totals);
    if (typeof itemJson !== "string") return prefixed(index, itemJson);
    text += index === 0 ? itemJson : `,${itemJson}`;
  }
  return `[${text}]`;
}

function prefixed(step: string | number, { steps, refuse }: BrokenJsonRule): BrokenJsonRule {
  return { steps: [step, ...steps], refuse };
}

const NO_BIGINT: BrokenJsonRule = { steps: [], refuse: noBigint };
const TOO_DEEP: BrokenJsonRule = { steps: [], refuse: tooDeep };
const TOO_LARGE: BrokenJsonRule = { steps: [], refuse: tooLarge };

/** True if JSON leaves the value out of an object, with its key, and writes it as null in an array. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}
