// The bounds of a memory delivery store, beyond which it rejects with `full`.

/**
 * The bounds of a memory delivery store. `maxDeliveries` and `maxDeletions` also count finished deliveries and
 * requests. `maxBytes` bounds the sum of all bodies. `maxMessageIds` bounds the remembered message ids; the oldest are
 * forgotten first, and nothing rejects (decision: dedupe). `maxUsers` bounds the suppressed users plus the users named
 * in unfinished requests. `maxRecords` bounds the small records of all kinds, `maxBoardRows` the lanes that several processes
 * publish, `maxOutboxCalls` the calls in the outbox.
 */
export interface MemoryStoreBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
  readonly maxMessageIds: number;
  readonly maxUsers: number;
  readonly maxDeletions: number;
  readonly maxRecords: number;
  readonly maxBoardRows: number;
  readonly maxOutboxCalls: number;
}

/**
 * The bounds that apply if none are given. Other stores remember more message ids; here they are in a Map, which holds at
 * most 16.7 million entries.
 */
export const DEFAULT_MEMORY_STORE_BOUNDS: MemoryStoreBounds = {
  maxDeliveries: 1_000_000,
  maxBytes: 1_073_741_824,
  maxMessageIds: 10_000_000,
  maxUsers: 1_000_000,
  maxDeletions: 100_000,
  maxRecords: 100_000,
  maxBoardRows: 100_000,
  maxOutboxCalls: 100_000,
};
