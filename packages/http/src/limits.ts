// Every number that bounds what callers may hold of a listener, and how long they are told to wait. What a front bounds
// besides stands there.

import { MAX_BATCH_BYTES, type RateLimit } from "@postrider/core";

/** What is read of a request, and what it may unzip to, at most; equal is allowed (decision: limits of the way in). */
export const MAX_REQUEST_BYTES: number = MAX_BATCH_BYTES;
/** What the bodies of all requests that wait for their answer may hold at once. Bytes (decision: limits on callers). */
export const MAX_HELD_BYTES = 67_108_864;
/**
 * What the bodies of requests may hold at once whose head shows no key that is known, and those of one address among them.
 * Bytes (decision: a fair way in).
 */
export const MAX_KEYLESS_BYTES = 16_777_216;
export const MAX_KEYLESS_BYTES_PER_ADDRESS = 2_097_152;
/** Proxies between a caller and the socket, at most: what stands further left in a header is not read. */
export const MAX_PROXY_HOPS = 32;
/** Unknown keys that one address may show (decision: limits on callers). */
export const UNKNOWN_KEYS: RateLimit = { perSecond: 1, burst: 100 };
/** Addresses that are remembered for the keys they show, and owners of good keys that are remembered of each. */
export const MAX_CALLERS = 10_000;
export const MAX_FAMILIAR_OWNERS = 100;
/** What a caller is told to wait when there is no room for its request. Seconds. */
export const OVERLOADED_RETRY_AFTER_S = 1;
/** The longest wait that a caller is told. Seconds. */
export const MAX_RETRY_AFTER_S = 300;
/** How long a connection is left open, unread, for the caller to hear why the rest is refused (decision: http front). */
export const LINGER_MS = 1_000;
