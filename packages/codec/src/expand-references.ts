// Replaces each text `env:NAME` or `file:PATH` of a raw config by what it points at, so that secrets need not stand in the
// file. Pure: the host hands in how to read. What a reference points at is taken as it is, never expanded again.

import { isPlainObject, pathTo, type Problem } from "@postrider/core";
import type { Decoded } from "./decoded.js";
import { findTooDeep } from "./find-too-deep.js";
import { MAX_SETTINGS_DEPTH } from "./limits.js";

/** How to look a reference up; undefined where there is nothing, or nothing that can be read. */
export interface ReferenceReader {
  env(name: string): string | undefined;
  /** The text of a file. */
  file(path: string): string | undefined;
}

/**
 * The value with all of its references expanded, or a `missing` problem for each that leads nowhere; `too-deep` alone
 * where it has more levels than any settings. Keys stay as they are. One line break at the end of a file is dropped, since editors add it.
 */
export function expandReferences(value: unknown, read: ReferenceReader): Decoded<unknown> {
  const tooDeep = findTooDeep(value, MAX_SETTINGS_DEPTH);
  if (tooDeep !== undefined) return refuseDepth(tooDeep);
  const problems: Problem[] = [];
  const expanded = mapTexts(value, "", (text, path) => {
    const found = lookUp(text, read);
    if (typeof found === "string") return found;
    problems.push({ code: "missing", path, expected: found.expected });
    return text;
  });
  return problems.length === 0 ? { kind: "decoded", value: expanded } : { kind: "refused", problems };
}

function refuseDepth(path: string): Decoded<never> {
  const expected = `at most ${String(MAX_SETTINGS_DEPTH)} levels`;
  return { kind: "refused", problems: [{ code: "too-deep", path, expected }] };
}

/** The value with each text in it replaced; keys stay, `__proto__` too. */
function mapTexts(value: unknown, path: string, replace: (text: string, path: string) => string): unknown {
  if (typeof value === "string") return replace(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, pathTo(path, index), replace));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(fields.map(([key, field]) => [key, mapTexts(field, pathTo(path, key), replace)]));
}

/** What a text stands for: itself, if it is no reference. */
function lookUp(text: string, read: ReferenceReader): string | { readonly expected: string } {
  if (text.startsWith("env:")) {
    return read.env(text.slice("env:".length)) ?? { expected: "the name of an environment variable that is set" };
  }
  if (text.startsWith("file:")) {
    return (
      withoutLastBreak(read.file(text.slice("file:".length))) ?? { expected: "the path of a file that can be read" }
    );
  }
  return text;
}

function withoutLastBreak(text: string | undefined): string | undefined {
  return text?.replace(/\r?\n$/, "");
}
