// Every number that bounds the checks of `check --deep`.

/** Origins that are probed; the others are reported as not checked. */
export const MAX_PROBED_ORIGINS = 500;
/** How long the system may take to say whether its clock is synchronised, in milliseconds. */
export const CLOCK_LIMIT_MS = 2_000;
/** A file that was written later than now by more than this shows that a clock is wrong, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;
/** Free bytes on the disk of the store below which there is a warning. */
export const MIN_FREE_BYTES = 268_435_456;
