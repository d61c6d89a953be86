// The bound of what this package keeps.

/** How many questions may be under way at once. A relay has a few; the rest is for those who ask beside it. */
export const MAX_QUESTIONS = 1_000;
