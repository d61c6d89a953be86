// Every number that bounds the checks of `check --deep`.

/** How long the look-up, the connection and the TLS handshake of one origin may take together, in milliseconds. */
export const PROBE_LIMIT_MS = 10_000;
/** Origins that are probed at once. */
export const PROBES_AT_ONCE = 4;
/** Origins that are probed; the others are reported as not checked. */
export const MAX_PROBED_ORIGINS = 500;
/** A certificate that ends within this time causes a warning, in milliseconds: two weeks. */
export const CERTIFICATE_MARGIN_MS = 1_209_600_000;
/** How long the system may take to say whether its clock is synchronised, in milliseconds. */
export const CLOCK_LIMIT_MS = 2_000;
/** A file that was written later than now by more than this shows that a clock is wrong, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;
/** Free bytes on the disk of the store below which there is a warning. */
export const MIN_FREE_BYTES = 268_435_456;
