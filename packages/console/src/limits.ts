// The bounds of the console: the lifetime of logins, the number of unused ones, and the time for which an answer is shared.

/** The length of a session after its login, in milliseconds. */
export const SESSION_MS = 43_200_000;
/** The time for which an address with a one-time login can be used, in milliseconds. */
export const LOGIN_CODE_MS = 600_000;
/** One-time logins that may wait to be used; of more, the oldest ends. */
export const MAX_LOGIN_CODES = 16;
/** The random bytes of a session and of a one-time login. */
export const NONCE_BYTES = 16;
/** Streams that one person may read at the same time; a further one is answered 503. The process has 100 for all. */
export const MAX_STREAMS_PER_PERSON = 25;
/** The time for which an answer is shared by all who ask the same, in milliseconds. */
export const SHARED_MS = 500;
/** Answers that are kept for that; of more, the oldest goes. */
export const MAX_SHARED = 50;
