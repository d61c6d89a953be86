// The names of sets. There are a few for each audience, so a search by prefix reads all.

import type { AudienceContents } from "./audiences.js";

export function listSets({ sets }: AudienceContents, prefix: string): readonly string[] {
  return [...sets.keys()].filter((name) => name.startsWith(prefix)).toSorted((one, other) => (one < other ? -1 : 1));
}
