// How much a memory store of audiences takes before it answers `full`.

/** Audiences kept, and members of all sets together: while an audience is synced, each of its members is in three of them. */
export interface AudienceBounds {
  readonly maxAudiences: number;
  readonly maxMembers: number;
}

/** Ten thousand audiences; five million members, which take about half a gigabyte. */
export const DEFAULT_AUDIENCE_BOUNDS: AudienceBounds = { maxAudiences: 10_000, maxMembers: 5_000_000 };
