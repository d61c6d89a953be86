// The limits of this adapter.

/** The number of origins that may have connections at once; a further origin replaces the idle origin that was used longest ago. */
export const MAX_ORIGINS = 1_024;
/**
 * Exchanges under way at once with one origin, each on a separate connection. A further exchange gets the fault
 * `local`. The number equals the deliveries that a relay has under way, so that destinations with the same origin do
 * not block each other. The load on a receiver is limited by the lanes, not here.
 */
export const MAX_CONNECTIONS_PER_ORIGIN = 2_048;
/** URLs that are kept in parsed form. Before a further URL is kept, all others are dropped. */
export const MAX_CACHED_TARGETS = 4_096;
/** Names of headers that are kept with the result of their check. Before a further name is kept, all others are dropped. */
export const MAX_KNOWN_HEADER_NAMES = 256;
/** The number of header lines of the last request that are kept, in their places. */
export const MAX_KEPT_HEADER_LINES = 64;
/** The time for which an origin without an exchange is kept, in milliseconds. */
export const ORIGIN_IDLE_MS = 60_000;

/**
 * The time for which an idle connection is kept, in milliseconds, and the most if the receiver offers more. The first is below the five
 * seconds after which many servers close a connection, so that a request is rarely sent on a closing connection.
 */
export const KEEP_ALIVE_MS = 4_000;
export const KEEP_ALIVE_MAX_MS = 60_000;
/** A connection is closed this long before the end that the receiver offers, in milliseconds. If it offers no more, at once. */
export const KEEP_ALIVE_MARGIN_MS = 2_000;

/** The time for which a connection is used if the settings have none, in milliseconds, and the part of it by which each may differ. */
export const CONNECTION_AGE_MS = 30_000;
export const CONNECTION_AGE_SPREAD = 0.2;
/**
 * The time for which a connection rests after an answer, in milliseconds: bytes that come then were not asked for. While other exchanges
 * with its origin are under way, a further connection is made rather than waited for, up to this number of resting ones.
 */
export const CONNECTION_REST_MS = 10;
export const MAX_RESTING_CONNECTIONS = 32;
/** The number of connections to an origin that are closed after failed answers within this window; beyond, they are kept. */
export const MAX_RENEWALS = 8;
export const RENEWALS_WINDOW_MS = 1_000;
/** The number of origins with an unasked answer that are remembered. */
export const MAX_UNASKED_ORIGINS = 1_024;

/** The number of addresses of one name that are tried, one after the other, the two families in turn. All addresses are checked. */
export const MAX_ADDRESSES = 32;
/** The time for which an address may take to connect before the next address is tried instead, in milliseconds. */
export const ADDRESS_ATTEMPT_MS = 1_000;

/** The most that is read from a plain socket at once, in bytes. */
export const MAX_PIECE_BYTES = 65_536;
/** The longest status line and headers of an answer together, in bytes. */
export const MAX_HEAD_BYTES = 16_384;
/** Bytes of an answer on the wire that are read after its first two pieces, framing included. */
export const MAX_WIRE_BYTES = 262_144;

/** The age at which a look-up reads the files for the system's name resolution again, in milliseconds. */
export const NAME_FILES_AGE_MS = 5_000;
/** The part of such a file that is read, in bytes. The rest is left out. */
export const MAX_NAME_FILE_BYTES = 1_048_576;
export const MAX_NAME_FILE_LINES = 10_000;

/** Lines of resolv.conf that count: three name servers as in the system, and domains of its search list. */
export const MAX_NAME_SERVERS = 3;
export const MAX_SEARCH_DOMAINS = 32;
/** The most that `ndots` may say, as in the system. */
export const MAX_NDOTS = 15;
/** The longest name of DNS. */
export const MAX_NAME_LENGTH = 253;

/**
 * The time that a DNS server has to answer the first query, in milliseconds, and the number of queries to each server, unless resolv.conf
 * says otherwise; the time doubles with each query. The total is longer than a receiver's usual timeout, so that this timeout ends the
 * wait.
 */
export const DNS_TRY_MS = 2_000;
export const DNS_TRIES = 2;
/** The most that resolv.conf may say of them. */
export const MAX_DNS_TRY_MS = 5_000;
export const MAX_DNS_TRIES = 3;
/** The time for which the addresses of one family wait for those of the other, in milliseconds. */
export const OTHER_FAMILY_MS = 1_000;

/** Look-ups by the system's resolver at once, each in a separate process, and how many more may wait. */
export const MAX_SYSTEM_LOOKUPS = 4;
export const MAX_WAITING_LOOKUPS = 256;
/** The longest time for such a look-up, in milliseconds, and for the start of its process. */
export const SYSTEM_LOOKUP_MS = 2_000;
export const HELPER_START_MS = 5_000;
/** The time for which such a process waits for a further look-up before it ends, in milliseconds. */
export const HELPER_IDLE_MS = 30_000;
