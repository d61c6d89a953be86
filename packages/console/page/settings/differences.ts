// The differences between two documents, entry by entry, as people compare them; and the lines of an entry that are gone or new, by the
// longest common subsequence of its lines.

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
  if (old.length * young.length > MAX_CELLS) return [...all(old, "gone"), ...all(young, "new")];
  const common = commonFrom(old, young);
  const lines: DifferenceLine[] = [];
  let [at, place] = [0, 0];
  while (at < old.length && place < young.length) {
    const [one, other] = [old[at] ?? "", young[place] ?? ""];
    if (one === other) lines.push({ kind: "same", text: one });
    else if (common(at + 1, place) >= common(at, place + 1)) lines.push({ kind: "gone", text: one });
    else lines.push({ kind: "new", text: other });
    const { kind } = lines.at(-1) ?? { kind: "same" };
    if (kind !== "new") at += 1;
    if (kind !== "gone") place += 1;
  }
  return [...lines, ...all(old.slice(at), "gone"), ...all(young.slice(place), "new")];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function all(lines: readonly string[], kind: "gone" | "new"): readonly DifferenceLine[] {
  return lines.map((text) => ({ kind, text }));
}

/** The number of lines that two texts have in common, in order, from these lines on. */
function commonFrom(old: readonly string[], young: readonly string[]): (at: number, place: number) => number {
  const width = young.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  const lookUp = (at: number, place: number): number => cells[at * width + place] ?? 0;
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let place = young.length - 1; place >= 0; place -= 1) {
      cells[at * width + place] =
        old[at] === young[place]
          ? lookUp(at + 1, place + 1) + 1
          : Math.max(lookUp(at + 1, place), lookUp(at, place + 1));
    }
  }
  return lookUp;
}
