// Lists the sets whose names begin with a prefix. Each call scans all names; there are only a few names per audience.

import type { AudienceContents } from "./audiences.js";

export function listSets({ sets }: AudienceContents, prefix: string): readonly string[] {
  return [...sets.keys()].filter((name) => name.startsWith(prefix)).toSorted((one, other) => (one < other ? -1 : 1));
}
