// Every number that bounds what is read of a config file, and told of it.

/** Bytes of a config or a scenario: ten thousand destinations have a few million. */
export const MAX_CONFIG_BYTES = 67_108_864;
/** Bytes of a file that a config refers to: a secret, or a bundle of certificates. */
export const MAX_REFERENCE_BYTES = 1_048_576;
/** Problems of a config that are told; of those beyond, how many there are. */
export const MAX_PROBLEMS_TOLD = 200;
/**
 * Steps of reading and checking settings between two returns to the event loop. A step is one source or destination, or
 * as much as that (decision: reloads in slices).
 */
export const SLICE_STEPS = 256;
