// Every number that bounds how much of a config file is read, and how many of its problems are reported.

/** Bytes of a config or a scenario. A config with ten thousand destinations has a few million. */
export const MAX_CONFIG_BYTES = 67_108_864;
/** Bytes of a file that a config refers to: a secret, or a bundle of certificates. */
export const MAX_REFERENCE_BYTES = 1_048_576;
/** Problems or warnings that are reported one by one; of the others, only the number is reported. */
export const MAX_PROBLEMS_SHOWN = 200;
