// Every number that bounds how ingest handles a request. The bounds of a call are in core, those of reading a
// request in `../limits.ts`.

/** The unzipped bodies of all requests that are not answered yet. Bytes (decision: limits on callers). */
export const MAX_UNZIPPED_BYTES = 67_108_864;
/**
 * The longest small body. A larger body is parsed in separate turns of the event loop, and waits as bytes until then. A
 * parsed value takes up to 28 times the memory of its text. Bytes (decision: event-loop turns).
 */
export const MAX_SMALL_BODY_BYTES = 65_536;
/** Large bodies that are parsed, and held until their requests are answered. */
export const MAX_LARGE_BODIES_PARSED = 8;
/** Large bodies in all: those that are parsed, and those that wait to be parsed. */
export const MAX_LARGE_BODIES = 64;
/** The part of `MAX_LARGE_BODIES` that one source may have. */
export const MAX_LARGE_BODIES_PER_SOURCE = 48;
/**
 * The bounds `MAX_LARGE_BODIES_PARSED` and `MAX_LARGE_BODIES` for requests whose head shows no known key. Their bodies are counted
 * separately, so they never delay bodies with a key.
 */
export const MAX_KEYLESS_LARGE_BODIES_PARSED = 2;
export const MAX_KEYLESS_LARGE_BODIES = 32;
/** The part of `MAX_KEYLESS_LARGE_BODIES` that one network may have. */
export const MAX_KEYLESS_LARGE_BODIES_PER_NETWORK = 24;
/** Small bodies that are parsed, and held until their requests are answered; a further body waits. Bytes. */
export const MAX_SMALL_BODY_BYTES_PARSED = 4_194_304;
/**
 * A body that is refused before its key is known counts as one unknown key, and as one more for each part of this size.
 * Bytes.
 */
export const BODY_BYTES_PER_KEY_GUESS = 65_536;
/**
 * The entries of refused calls, with path and message, in the answer to a batch. Beyond this size, entries have only
 * index and code. Bytes (decision: request cost).
 */
export const MAX_REJECTED_ENTRY_BYTES = 131_072;
/** The time for which a browser may remember the answer to a preflight. Seconds. */
export const PREFLIGHT_AGE_S = 86_400;
