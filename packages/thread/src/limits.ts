// The limits of this package. Knows no store.

/**
 * How many requests may be pending at once on one channel; a further request rejects with `busy`. A relay has only a
 * few pending at once; other users of the stores may have more.
 */
export const MAX_PENDING_CALLS = 1_000;

/**
 * Room for this many numbers is kept from one packed value to the next: 512 KiB, three times what the largest commit of a relay
 * needs. More is given back.
 */
export const KEPT_SCRATCH_NUMBERS = 65_536;

/**
 * A byte array of at least this length that the receiver keeps is sent in its own buffer. The receiver copies shorter ones out of a shared buffer:
 * the copies of a claim of 256 bodies of 32 KiB blocked the event loop for 40 ms.
 */
export const OWN_BUFFER_BYTES = 4_096;
