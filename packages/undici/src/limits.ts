// The limits of this adapter.

/** Origins with connections at the same time; a further one replaces the one that has been idle longest. */
export const MAX_ORIGINS = 1_024;
/**
 * Exchanges under way at the same time with one origin, each on a separate connection. A further one is answered `local`.
 * The number equals the deliveries that a relay has under way, so that destinations with the same origin do not block
 * each other: lanes limit the load on a receiver.
 */
export const MAX_CONNECTIONS = 2_048;
/** URLs that are kept in parsed form; at one more, all are dropped and parsed again when used. */
export const MAX_KNOWN_TARGETS = 4_096;
/** How long an origin without an exchange is kept, in milliseconds. */
export const ORIGIN_IDLE_MS = 60_000;

/**
 * How long an idle connection is kept, in milliseconds, and how long if the receiver offers more. The first is below the
 * five seconds after which many servers close a connection, so that a request rarely meets a closing one.
 */
export const KEEP_ALIVE_MS = 4_000;
export const KEEP_ALIVE_MAX_MS = 60_000;

/** Addresses of one name that are tried, one after the other; all are checked. */
export const MAX_ADDRESSES = 8;
/** How long one address may take before the next one is tried in parallel, in milliseconds. */
export const ADDRESS_ATTEMPT_MS = 1_000;

/** Bytes of a reply's status line and headers. */
export const MAX_HEAD_BYTES = 16_384;
/** Bytes of an answer on the wire after its first two reads: its body with all framing. */
export const MAX_WIRE_BYTES = 262_144;

/**
 * How long a DNS server has for its first answer, in milliseconds, and how often each one is asked; the time doubles. The
 * total is longer than a receiver's usual timeout, so that the timeout ends the wait.
 */
export const DNS_TRY_MS = 2_000;
export const DNS_TRIES = 2;

/** Look-ups by the system at the same time, and how many more may wait. Each one blocks one of Node's four threads. */
export const MAX_SYSTEM_LOOKUPS = 2;
export const MAX_WAITING_LOOKUPS = 256;
