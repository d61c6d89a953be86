// The fixed limits of the client. Those of calls and batches are in core.

/** The most bytes that are read of an answer. An answer about 2,500 rejected calls has about half as many bytes. */
export const MAX_ANSWER_BYTES = 1_048_576;
/** Outcomes that wait in one iterator; beyond that all but the newest are dropped and counted. */
export const MAX_OUTCOMES_WAITING = 10_000;
/** Iterators over outcomes that may be open together; a further iterator ends immediately. */
export const MAX_OUTCOME_ITERATORS = 100;
/** Delay of the timer that keeps the process running while a caller waits; it is set again until the wait ends. */
export const KEEP_PROCESS_TIMER_MS = 60_000;
/** Changes that are kept while the storage fails; beyond that, the drops among the earlier changes are forgotten. */
export const MAX_UNWRITTEN_CHANGES = 20_000;
