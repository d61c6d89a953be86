// The limit of this package. Knows no store.

/** How many calls may be pending at once. A relay makes only a few at once; the rest is for other users of the store. */
export const MAX_PENDING_CALLS = 1_000;
