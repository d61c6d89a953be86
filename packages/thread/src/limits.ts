// The limits of this package.

/**
 * The number of requests that may be pending at once on one channel; a further request rejects with `busy`. A relay has only a few pending
 * at once; other users of the stores may have more.
 */
export const MAX_PENDING_CALLS = 1_000;

/**
 * Room for this many numbers is kept from one packed value to the next: 512 KiB, three times the need of the largest commit of a relay.
 * More is given back.
 */
export const KEPT_SCRATCH_NUMBERS = 65_536;

/**
 * A byte array of at least this length that the receiver keeps is sent in its own buffer. The receiver copies shorter ones out of a shared
 * buffer: the copies of a claim of 256 bodies of 32 KiB blocked the event loop for 40 ms.
 */
export const OWN_BUFFER_BYTES = 4_096;

/** Bounds of one message of requests or replies; one item may exceed the second. */
export const MAX_TURN_ITEMS = 256;
export const MAX_TURN_BYTES = 1_048_576;

/** The number of requests that may be with the sending thread; a further one gets the fault `local`. A relay has 10,240 at most. */
export const MAX_PENDING_REQUESTS = 16_384;
/** The time after its timeout at which a request is given up, in milliseconds: the sending thread should have ended it by then. */
export const LATE_REPLY_MS = 10_000;
/**
 * If the sending thread sends nothing at all for this time after that, it hangs. Milliseconds, in which this thread reads the messages that
 * came while it was itself blocked.
 */
export const LAST_SIGN_MS = 1_000;
/** The time in which the sending thread must close its connections and end, in milliseconds. */
export const CLOSE_LIMIT_MS = 2_000;
