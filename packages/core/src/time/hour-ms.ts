// The unit of the settings that are given in hours.

/** An hour in milliseconds. */
export const HOUR_MS = 3_600_000;
