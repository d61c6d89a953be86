// The contents of an audience store on a memory disk: records by key, and sets of members by name; and how much it holds before it
// rejects with `full`. Only this folder reads or changes the contents.

import type { Member } from "@postrider/core";
import type { RecordContents } from "../record-store.js";

export interface AudienceContents {
  readonly records: RecordContents;
  /** Each set is sorted by user id. An empty set is not stored. */
  readonly sets: Map<string, Member[]>;
  /** The number of members of all sets together. */
  memberCount: number;
}

export function emptyAudiences(): AudienceContents {
  return { records: new Map(), sets: new Map(), memberCount: 0 };
}

/**
 * The bounds of a memory audience store: on its audiences, and on the members of all its sets together. During a sync,
 * each member of the audience is in three sets.
 */
export interface MemoryAudienceStoreBounds {
  readonly maxAudiences: number;
  readonly maxMembers: number;
}

/** The bounds that apply if none are given. Five million members take about half a gigabyte. */
export const DEFAULT_AUDIENCE_BOUNDS: MemoryAudienceStoreBounds = { maxAudiences: 10_000, maxMembers: 5_000_000 };
