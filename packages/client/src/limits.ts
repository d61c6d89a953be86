// The fixed limits of the client. Those of calls and batches are in core.

/** The most bytes that are read of an answer. An answer about 2,500 rejected calls has about half as many bytes. */
export const MAX_ANSWER_BYTES = 1_048_576;
/** Outcomes that wait in one iterator; beyond that all but the newest are dropped and counted. */
export const MAX_OUTCOMES_WAITING = 10_000;
/** Iterators over outcomes that may be open together; a further iterator ends immediately. */
export const MAX_OUTCOME_ITERATORS = 100;
/** The interval at which a waiting caller looks again if a timer of another request is due, in milliseconds. */
export const LOOK_AGAIN_MS = 1_000;
/** The time for which `flush` waits by default, in milliseconds. */
export const FLUSH_TIMEOUT_MS = 10_000;
/** The bytes of all requests under way that may outlive their page: browsers allow 65,536, those of other libraries included. */
export const MAX_OUTLIVING_BYTES = 60_000;
/** Calls that are read from a storage at once. */
export const STORAGE_PAGE_CALLS = 200;
/** The delay before a storage that has failed is read or written again, in milliseconds. */
export const STORAGE_RETRY_MS = 5_000;
/** The interval at which calls that were set aside are tried again, in milliseconds. */
export const SET_ASIDE_RETRY_MS = 3_600_000;
/** The length of the texts that may wait for the storage; beyond that, a call without room in memory is refused. */
export const MAX_UNWRITTEN_BYTES = 33_554_432;
/** Drops that are noted while the storage fails; with one more, all of them are forgotten. */
export const MAX_UNWRITTEN_DROPS = 20_000;
/** The number of calls that all tabs of a site keep together, by default. */
export const MAX_BROWSER_CALLS = 10_000;
/** The longest time for one access to the database of a browser, in milliseconds. */
export const DATABASE_TIMEOUT_MS = 10_000;
/** The interval at which a tab looks for calls that other tabs have left, in milliseconds. */
export const TAKE_OVER_MS = 10_000;
