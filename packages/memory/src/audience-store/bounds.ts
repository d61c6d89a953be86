// How much a memory audience store holds before it rejects with `full`.

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
