// Lists sets by a prefix of their names. It scans all names; there are only a few per audience.

import type { AudienceContents } from "./audiences.js";

export function listSets({ sets }: AudienceContents, prefix: string): readonly string[] {
  return [...sets.keys()].filter((name) => name.startsWith(prefix)).toSorted((one, other) => (one < other ? -1 : 1));
}
