// What differs between two documents, entry by entry, as people compare them.

import type { Document } from "./document.js";

export interface Difference {
  /** Such as `destinations crm`. */
  readonly what: string;
  /** The entry as JSON; undefined if there is none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function differencesBetween(before: Document, after: Document): readonly Difference[] {
  const [old, young] = [entriesOf(before), entriesOf(after)];
  const names = [...new Set([...old.keys(), ...young.keys()])];
  return names
    .map((what) => ({ what, before: old.get(what), after: young.get(what) }))
    .filter(({ before: one, after: other }) => one !== other);
}

/** Each entry of the lists, and each other key, as JSON by its name. */
function entriesOf(document: Document): ReadonlyMap<string, string> {
  const entries = Object.entries(document).flatMap(([key, value]): [string, string][] => {
    if (!Array.isArray(value)) return [[key, written(value)]];
    return value.map((entry: unknown, index): [string, string] => [`${key} ${nameOf(entry, index)}`, written(entry)]);
  });
  return new Map(entries);
}

function nameOf(entry: unknown, index: number): string {
  const { id }: { readonly id?: unknown } = typeof entry === "object" && entry !== null ? entry : {};
  return typeof id === "string" ? id : String(index + 1);
}

function written(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
