// What an audience store has put on a memory disk: records by key, and sets of members by name. Nothing outside this room
// sees it.

import type { AudienceRecord, Member } from "@postrider/core";

export interface Audiences {
  readonly records: Map<string, AudienceRecord>;
  /** Each in the order of its user ids; one that holds nobody is not there. */
  readonly sets: Map<string, Member[]>;
  /** Members of all sets together. */
  members: number;
}

export function emptyAudiences(): Audiences {
  return { records: new Map(), sets: new Map(), members: 0 };
}
