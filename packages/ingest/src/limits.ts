// Every number that bounds what the way in does with a request. What bounds a call itself lives in core, and what bounds
// the reading of a request in http.

/** What may be unzipped at once, in all requests that wait for their answer. Bytes (decision: limits on callers). */
export const MAX_UNZIPPED_BYTES = 67_108_864;
/**
 * A larger body is parsed in a turn of the loop of its own, and waits as bytes until it may be. A value that was parsed takes up
 * to 28 times the memory of its text (decision: turns of the loop).
 */
export const MAX_SMALL_BYTES = 65_536;
/**
 * Large bodies: how many are parsed and wait for their answer at once, so that their texts come to no more than so many times
 * `MAX_REQUEST_BYTES`; how many there may be with those that wait to be parsed; and how many of one source.
 */
export const MAX_LARGE_PARSED = 8;
export const MAX_LARGE = 64;
export const MAX_LARGE_OF_OWNER = 48;
/** The same of bodies whose head shows no key that is known. They have places of their own: they take none from those with a key. */
export const MAX_KEYLESS_LARGE_PARSED = 2;
export const MAX_KEYLESS_LARGE = 32;
export const MAX_KEYLESS_LARGE_OF_OWNER = 24;
/** What the small bodies may come to that are parsed and wait for their answer; a further one waits to be parsed. Bytes. */
export const MAX_SMALL_PARSED_BYTES = 4_194_304;
/** So many bytes of a body that is refused before its key is known count as one more unknown key. */
export const BYTES_PER_GUESS = 65_536;
/**
 * How much an answer to a batch says of why calls were refused; of those beyond, it says their index and code. Bytes
 * (decision: what a request may cost).
 */
export const MAX_REASON_BYTES = 131_072;
/** What a caller is told to wait when the relay gives no time of its own. Seconds. */
export const RETRY_AFTER_S = 5;
/** How long a browser may remember the answer to a preflight. Seconds. */
export const PREFLIGHT_AGE_S = 86_400;
