// Every number that bounds the requests and the memory of a listener, and the waits that callers are asked for. `ingest/limits.ts` has
// those of ingest; those of the API are in its files.

import { MAX_BATCH_BYTES, type RateLimit } from "@postrider/core";

/**
 * The longest body of a request, zipped and unzipped; a body of exactly this length is allowed. Bytes (decision:
 * request limits).
 */
export const MAX_REQUEST_BYTES: number = MAX_BATCH_BYTES;
/** The bodies of all requests with a known key that are not answered yet. Bytes (decision: limits on callers). */
export const MAX_HELD_BYTES = 67_108_864;
/**
 * The bodies of all requests whose head shows no known key, until these are answered. Bytes (decision: fair admission).
 */
export const MAX_KEYLESS_BYTES = 16_777_216;
/** The part of `MAX_KEYLESS_BYTES` that one network may have. Bytes. */
export const MAX_KEYLESS_BYTES_PER_NETWORK = 2_097_152;
/** Proxies between a caller and the socket: only this many entries of a header are read, from the right. */
export const MAX_PROXY_HOPS = 32;
/** The rate at which one network may show unknown keys (decision: limits on callers). */
export const UNKNOWN_KEY_RATE_LIMIT: RateLimit = { perSecond: 1, burst: 100 };
/** Networks that are remembered with the keys that they have shown. */
export const MAX_REMEMBERED_NETWORKS = 10_000;
/** Owners of known keys that are remembered for each network. */
export const MAX_REMEMBERED_OWNERS_PER_NETWORK = 100;
/** Tokens and other secrets that callers show are compared over at least this many bytes. */
export const MAX_SECRET_BYTES = 1_024;
/** `Retry-After` if a request exceeds a bound on the work under way. Seconds. */
export const OVERLOADED_RETRY_AFTER_S = 1;
/** `Retry-After` if a request cannot be served now, and no better time is known. Seconds. */
export const UNAVAILABLE_RETRY_AFTER_S = 5;
/** The longest `Retry-After`. Seconds. */
export const MAX_RETRY_AFTER_S = 300;
/** The time for which a caller of a streamed answer may read nothing while more is waiting. Then its connection is cut. */
export const STREAM_STALL_MS = 60_000;
/** The time for which a connection stays open after the answer to a request that was not read to its end (decision: http front). */
export const LINGER_AFTER_ANSWER_MS = 1_000;
