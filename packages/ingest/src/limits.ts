// Every number that bounds the way in. What bounds a call itself lives in core.

import { MAX_BATCH_BYTES } from "@postrider/core";

/** What is read of a request, and what it may unzip to, at most; equal is allowed (decision: limits of the way in). */
export const MAX_REQUEST_BYTES: number = MAX_BATCH_BYTES;
/** What a caller is told to wait when the relay gives no time of its own. Seconds. */
export const RETRY_AFTER_S = 5;
/** The longest wait that a caller is told. Seconds. */
export const MAX_RETRY_AFTER_S = 300;
/** How long a connection is left open, unread, for the caller to hear why the rest is refused (decision: http front). */
export const LINGER_MS = 1_000;
/** How long a browser may remember the answer to a preflight. Seconds. */
export const PREFLIGHT_AGE_S = 86_400;
