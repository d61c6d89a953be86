// How much a memory store of audiences holds before it rejects with `full`.

/** The audiences, and the members of all sets together. During a sync, each member of the audience is in three sets. */
export interface MemoryAudienceStoreBounds {
  readonly maxAudiences: number;
  readonly maxMembers: number;
}

/** Ten thousand audiences; five million members, which take about half a gigabyte. */
export const DEFAULT_AUDIENCE_BOUNDS: MemoryAudienceStoreBounds = { maxAudiences: 10_000, maxMembers: 5_000_000 };
