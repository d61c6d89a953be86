// Every number that bounds the client and that no host sets. What bounds calls and batches lives in core.

/** What is read of an answer, at most: a batch of 2,500 rejected calls takes half of it. Bytes. */
export const MAX_ANSWER_BYTES = 1_048_576;
/** Outcomes that wait for whoever iterates over them, before the oldest are left out and counted instead. */
export const MAX_OUTCOMES_WAITING = 10_000;
/** Iterations over outcomes at once; further ones are over before they begin. */
export const MAX_LISTENERS = 100;
/** How long one timer holds the process for somebody who waits; it is set anew as long as that lasts. */
export const HOLD_MS = 60_000;
/** Changes that a storage could not write, before drops among them are forgotten. */
export const MAX_UNWRITTEN = 20_000;
