// The bounds of requests to the database and of the connections they go over (decision: silent connections).

/** The time that a pool may take to hand out a connection, in ms. */
export const CONNECT_DEADLINE_MS = 10_000;
/** The time that a request may take, in ms. A failover takes about as long. */
export const REQUEST_DEADLINE_MS = 10_000;
/** The time that a function of the schema may wait for a lock, in ms: less than its request may take. */
export const LOCK_WAIT_MS = 9_000;
/**
 * The time that a request may take whose connection is probably broken: the first one after rest, and a commit once a later one
 * was answered. A relay takes its store to be stalled soon after.
 */
export const SILENCE_DEADLINE_MS = 2_500;
/** A connection that has not been used for this long has rested: a device on the path may have forgotten it. */
export const REST_MS = 1_000;
/** The time after which a commit without an answer casts doubt on connections that have answered nothing since it began. */
export const DOUBT_AFTER_MS = 500;

/** The times that a request for which a person waits may take: in the database, which then ends it, and until its answer is here. */
export const BRIEF_STATEMENT_MS = 2_500;
export const BRIEF_DEADLINE_MS = 3_000;
/** The number of these that run at once, so that connections are left for commits, and the number that wait. Further ones are refused. */
export const MAX_BRIEF = 3;
export const MAX_WAITING_BRIEF = 100;

/** The age that a connection reaches, in ms, and the part of it by which it varies, so that not all end at once. */
export const MAX_AGE_MS = 300_000;
export const AGE_SPREAD = 0.2;
/** The shortest interval at which connections are ended because their server takes no writes. */
export const DISTRUST_EVERY_MS = 1_000;
/** The number of connections that one request ends; it uses the next one in any case. */
export const MAX_ENDED = 100;
