// Every number that bounds how much of a config file is read, how many of its problems are reported, and how its receivers are probed.

/** Bytes of a config or a scenario. A config with ten thousand destinations has a few million. */
export const MAX_CONFIG_BYTES = 67_108_864;
/** Bytes of a file that a config refers to: a secret, or a bundle of certificates. */
export const MAX_REFERENCE_BYTES = 1_048_576;
/** A guarded text of this length or more, such as a token, must not stand in the middle of a referred text either. */
export const MIN_GUARDED_PART = 16;
/** Problems or warnings that are reported one by one; of the others, only the number is reported. */
export const MAX_PROBLEMS_SHOWN = 200;

/** A shared secret with fewer characters causes a warning: it could be found from one signed message. */
export const MIN_SECRET_LENGTH = 16;
/** An API token with fewer characters causes a warning if other machines can reach the server. */
export const MIN_PUBLIC_TOKEN_LENGTH = 24;
/** A secret or token with fewer different characters causes a warning. */
export const MIN_DIFFERENT_CHARACTERS = 6;

/** The longest time that the look-up, the connection and the TLS handshake of one origin may take together, in milliseconds. */
export const PROBE_LIMIT_MS = 10_000;
/** Origins that are probed at once. */
export const PROBES_AT_ONCE = 4;
/** Addresses of a name that a finding lists; of the others, it has only the number. */
export const MAX_ADDRESSES_SHOWN = 8;
/** A certificate that ends within this time causes a warning, in milliseconds: two weeks. */
export const CERTIFICATE_MARGIN_MS = 1_209_600_000;
