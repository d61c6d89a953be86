// The names of sets. There are a few for each audience, so a search by prefix reads all.

import type { Audiences } from "./audiences.js";

export function listSets({ sets }: Audiences, prefix: string): readonly string[] {
  return [...sets.keys()].filter((name) => name.startsWith(prefix)).toSorted((one, other) => (one < other ? -1 : 1));
}
