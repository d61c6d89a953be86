// The contents of an audience store on a memory disk: records by key, and sets of members by name. Only this folder
// reads or changes the contents.

import type { AudienceRecord, Member } from "@postrider/core";

export interface AudienceContents {
  readonly records: Map<string, AudienceRecord>;
  /** Each set is sorted by user id. An empty set is not stored. */
  readonly sets: Map<string, Member[]>;
  /** How many members all sets have together. */
  members: number;
}

export function emptyAudiences(): AudienceContents {
  return { records: new Map(), sets: new Map(), members: 0 };
}
