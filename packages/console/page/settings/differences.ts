// The differences between two documents, entry by entry, as people compare them; and the lines of an entry that are gone or new, by the
// longest common subsequence of its lines.

import type { FetchResult } from "../base/ask.js";
import type { Document } from "./document.js";

/** Texts whose numbers of lines have a larger product are shown as gone and new as a whole. */
const MAX_CELLS = 250_000;

export interface EntryDifference {
  /** Such as `destinations crm`. */
  readonly what: string;
  /** The entry as JSON; undefined if there is none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function differencesBetween(before: Document, after: Document): readonly EntryDifference[] {
  const [old, young] = [entriesOf(before), entriesOf(after)];
  const names = [...new Set([...old.keys(), ...young.keys()])];
  return names
    .map((what) => ({ what, before: old.get(what), after: young.get(what) }))
    .filter(({ before: a, after: b }) => a !== b);
}

/**
 * The changes that the newer of two revisions made. If the older one is not kept any more, all of the newer one counts as new; any
 * other refusal of either is the result.
 */
export function changesOfRevision(
  older: FetchResult<Document>,
  newer: FetchResult<Document>,
): FetchResult<readonly EntryDifference[]> {
  if (newer.kind !== "ok") return newer;
  if (older.kind === "ok") return { kind: "ok", value: differencesBetween(older.value, newer.value) };
  return older.status === 404 ? { kind: "ok", value: differencesBetween({}, newer.value) } : older;
}

/** Each entry of the lists, and each other key, as JSON by its name. */
function entriesOf(document: Document): ReadonlyMap<string, string> {
  const entries = Object.entries(document).flatMap(([key, value]): [string, string][] => {
    if (!Array.isArray(value)) return [[key, jsonOf(value)]];
    return value.map((entry: unknown, index): [string, string] => [`${key} ${nameOf(entry, index)}`, jsonOf(entry)]);
  });
  return new Map(entries);
}

function nameOf(entry: unknown, index: number): string {
  const { id }: { readonly id?: unknown } = typeof entry === "object" && entry !== null ? entry : {};
  return typeof id === "string" ? id : String(index + 1);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

export interface DifferenceLine {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** The lines of both texts in order; none of an empty text. */
export function linesOfDifference(before: string, after: string): readonly DifferenceLine[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  if (old.length * young.length > MAX_CELLS) return [...linesOfKind(old, "gone"), ...linesOfKind(young, "new")];
  const common = commonFrom(old, young);
  const lines: DifferenceLine[] = [];
  let oldAt = 0;
  let youngAt = 0;
  while (oldAt < old.length && youngAt < young.length) {
    const oldLine = old[oldAt] ?? "";
    const youngLine = young[youngAt] ?? "";
    if (oldLine === youngLine) lines.push({ kind: "same", text: oldLine });
    else if (common(oldAt + 1, youngAt) >= common(oldAt, youngAt + 1)) lines.push({ kind: "gone", text: oldLine });
    else lines.push({ kind: "new", text: youngLine });
    const { kind } = lines.at(-1) ?? { kind: "same" };
    if (kind !== "new") oldAt += 1;
    if (kind !== "gone") youngAt += 1;
  }
  return [...lines, ...linesOfKind(old.slice(oldAt), "gone"), ...linesOfKind(young.slice(youngAt), "new")];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function linesOfKind(lines: readonly string[], kind: "gone" | "new"): readonly DifferenceLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** The number of lines that two texts have in common, in order, from these lines on. */
function commonFrom(old: readonly string[], young: readonly string[]): (oldAt: number, youngAt: number) => number {
  const width = young.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  const lookUp = (oldAt: number, youngAt: number): number => cells[oldAt * width + youngAt] ?? 0;
  for (let oldAt = old.length - 1; oldAt >= 0; oldAt -= 1) {
    for (let youngAt = young.length - 1; youngAt >= 0; youngAt -= 1) {
      cells[oldAt * width + youngAt] =
        old[oldAt] === young[youngAt]
          ? lookUp(oldAt + 1, youngAt + 1) + 1
          : Math.max(lookUp(oldAt + 1, youngAt), lookUp(oldAt, youngAt + 1));
    }
  }
  return lookUp;
}
