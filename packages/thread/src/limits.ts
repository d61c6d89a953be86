// The limit of this package. Knows no store.

/**
 * How many requests may be pending at once on one channel; a further request rejects with `busy`. A relay has only a
 * few pending at once; other users of the stores may have more.
 */
export const MAX_PENDING_CALLS = 1_000;
