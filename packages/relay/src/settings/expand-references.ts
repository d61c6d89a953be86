// Replaces each text `env:NAME` or `file:PATH` of a raw config by the value that it refers to, so that the file need
// not contain secrets. Pure: the host passes the functions that read. The value of a reference is not expanded again.

import type { Problem } from "@postrider/core";
import {
  isPlainObject,
  mapInSteps,
  pathOf,
  type Place,
  ROOT_PLACE,
  runSteps,
  type Steps,
} from "@postrider/core/engine";
import type { Decoded } from "./decoded.js";
import { findTooDeepInSteps } from "./json-faults.js";
import { MAX_SETTINGS_DEPTH } from "./limits.js";

/** Looks up the value of a reference; undefined if it cannot be read. */
export interface ReferenceReader {
  env(name: string): string | undefined;
  /** The text of a file. */
  file(path: string): string | undefined;
}

/**
 * The value with all of its references expanded, or a `missing` problem for each reference that cannot be resolved;
 * only a `too-deep` problem if the value is nested deeper than `MAX_SETTINGS_DEPTH`. Keys are not changed. One line
 * break at the end of a file is dropped, since editors add a line break.
 */
export function expandReferences(value: unknown, read: ReferenceReader): Decoded<unknown> {
  return runSteps(expandReferencesInSteps(value, read));
}

/** Like `expandReferences`, in steps of one entry of the lists of settings. */
export function* expandReferencesInSteps(value: unknown, read: ReferenceReader): Steps<Decoded<unknown>> {
  const tooDeep = yield* findTooDeepInSteps(value, MAX_SETTINGS_DEPTH);
  if (tooDeep !== undefined) return refuseDepth(tooDeep);
  const problems: Problem[] = [];
  const expanded = yield* mapEntries(value, (text, place) => {
    const referenced = lookUp(text, read);
    if (typeof referenced === "string") return referenced;
    problems.push({ code: "missing", path: pathOf(place), expected: referenced.expected });
    return text;
  });
  return problems.length === 0 ? { kind: "ok", value: expanded } : { kind: "refused", problems };
}

function refuseDepth(path: string): Decoded<never> {
  const expected = `at most ${String(MAX_SETTINGS_DEPTH)} levels`;
  return { kind: "refused", problems: [{ code: "too-deep", path, expected }] };
}

type Replace = (text: string, place: Place) => string;

/** The value with each text in it replaced. Each item of a list in the outermost object is a step. */
function* mapEntries(value: unknown, replace: Replace): Steps<unknown> {
  if (!isPlainObject(value)) return mapTexts(value, ROOT_PLACE, replace);
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const parent = { parent: ROOT_PLACE, step: key };
    const mapItem = (item: unknown, step: number): unknown => mapTexts(item, { parent, step }, replace);
    fields.push([key, Array.isArray(field) ? yield* mapInSteps(field, mapItem) : mapTexts(field, parent, replace)]);
  }
  return Object.fromEntries(fields);
}

/**
 * The value with each text in it replaced. Keys are not changed, not even `__proto__`. A part without references is returned
 * as it is.
 */
function mapTexts(value: unknown, parent: Place, replace: Replace): unknown {
  if (typeof value === "string") return replace(value, parent);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, step): unknown => mapTexts(item, { parent, step }, replace));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).map(
    ([step, field]) => [step, mapTexts(field, { parent, step }, replace)] as const,
  );
  return fields.every(([key, field]) => field === value[key]) ? value : Object.fromEntries(fields);
}

/** Only what looks like the name of a variable is shown: other texts after `env:` may be secrets. */
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]{0,63}$/;
/** As with variables: a path has a slash or a dot, and neither `=` nor `+`. */
const PATH = /^(?=.*[./\\])[\w ~.:/\\-]{1,255}$/;

/** The value of a reference; any other text is returned as it is. */
function lookUp(text: string, read: ReferenceReader): string | { readonly expected: string } {
  if (text.startsWith("env:")) {
    const name = text.slice("env:".length);
    const hint = VARIABLE_NAME.test(name) ? `; ${name} is not` : "";
    return read.env(name) ?? { expected: `the name of an environment variable that is set${hint}` };
  }
  if (text.startsWith("file:")) {
    const path = text.slice("file:".length);
    const fileHint = PATH.test(path) ? `; ${path} is not` : "";
    return withoutLastBreak(read.file(path)) ?? { expected: `the path of a file that can be read${fileHint}` };
  }
  return text;
}

function withoutLastBreak(text: string | undefined): string | undefined {
  return text?.replace(/\r?\n$/, "");
}
