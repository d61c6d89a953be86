// Every number that bounds what callers may hold of a listener, and how long they are told to wait. The other bounds of a
// front are in its own package.

import { MAX_BATCH_BYTES, type RateLimit } from "@postrider/core";

/** The longest body of a request, zipped and unzipped; equal is allowed. Bytes (decision: request limits). */
export const MAX_REQUEST_BYTES: number = MAX_BATCH_BYTES;
/** The bodies of all requests that wait for their answer. Bytes (decision: limits on callers). */
export const MAX_HELD_BYTES = 67_108_864;
/**
 * The bodies of all requests that wait for their answer and whose head shows no known key; and of those from one address.
 * Bytes (decision: fair admission).
 */
export const MAX_KEYLESS_BYTES = 16_777_216;
export const MAX_KEYLESS_BYTES_PER_ADDRESS = 2_097_152;
/** Proxies between a caller and the socket; entries of a header that are further left are not read. */
export const MAX_PROXY_HOPS = 32;
/** Unknown keys that one address may show (decision: limits on callers). */
export const UNKNOWN_KEYS: RateLimit = { perSecond: 1, burst: 100 };
/** Addresses that are remembered for the keys they show, and owners of known keys that are remembered for each. */
export const MAX_CALLERS = 10_000;
export const MAX_FAMILIAR_OWNERS = 100;
/** `Retry-After` of a request that exceeds a bound on what is under way. Seconds. */
export const OVERLOADED_RETRY_AFTER_S = 1;
/** `Retry-After` of a request that cannot be served now, where no better time is known. Seconds. */
export const UNAVAILABLE_RETRY_AFTER_S = 5;
/** The longest `Retry-After`. Seconds. */
export const MAX_RETRY_AFTER_S = 300;
/** How long a connection stays open after an answer to a request that is not read to its end (decision: http front). */
export const LINGER_MS = 1_000;
