// Every bound of this adapter, in one place.

/** Origins with connections at once; a further one takes the place of the one that has been idle longest. */
export const MAX_ORIGINS = 1_024;
/**
 * Exchanges under way at once with one origin, each on a connection of its own. A further one is a fault of our own. As many
 * as a relay has deliveries under way, so that destinations which share an origin do not get in each other's way: how much
 * a receiver can bear, their lanes find out.
 */
export const MAX_CONNECTIONS = 2_048;
/** URLs whose parts are known; with a further one all are forgotten, and read again as they come. */
export const MAX_KNOWN_TARGETS = 4_096;
/** How long an origin without an exchange is remembered, in milliseconds. */
export const ORIGIN_IDLE_MS = 60_000;

/**
 * How long an idle connection is kept, in milliseconds, and how long if the receiver offers more. The first stays below
 * the five seconds after which many servers hang up, so that a request seldom meets a closing connection.
 */
export const KEEP_ALIVE_MS = 4_000;
export const KEEP_ALIVE_MAX_MS = 60_000;

/** Addresses of one name that are tried, one after the other; all are vetted. */
export const MAX_ADDRESSES = 8;
/** How long an address may take before the next one is tried beside it, in milliseconds. */
export const ADDRESS_ATTEMPT_MS = 1_000;

/** Bytes of a reply's head. */
export const MAX_HEAD_BYTES = 16_384;
/** Bytes of an answer on the wire behind its first two pieces: its body, and all that can be wound around it. */
export const MAX_WIRE_BYTES = 262_144;

/**
 * How long a DNS server has for its first answer, in milliseconds, and how often each one is asked; the time doubles. In
 * all it is more than a receiver's usual time: then it is our timer that gives up.
 */
export const DNS_TRY_MS = 2_000;
export const DNS_TRIES = 2;

/** Look-ups by way of the system at once, each of which blocks one of Node's four threads; and how many more may wait. */
export const MAX_SYSTEM_LOOKUPS = 2;
export const MAX_WAITING_LOOKUPS = 256;
