// How much a memory store holds before it rejects with `full`.

/**
 * Of deliveries and deletion requests, finished ones count too. `maxBytes` bounds the bodies together. `maxMessageIds` is
 * how many are remembered; the oldest go first (decision: dedupe). `maxUsers` bounds users who are suppressed or are named
 * in unfinished requests.
 */
export interface MemoryStoreBounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
  readonly maxMessageIds: number;
  readonly maxUsers: number;
  readonly maxDeletions: number;
}

/** Fewer message ids than other stores remember: a Map holds at most 16.7 million entries. */
export const DEFAULT_MEMORY_STORE_BOUNDS: MemoryStoreBounds = {
  maxDeliveries: 1_000_000,
  maxBytes: 1_073_741_824,
  maxMessageIds: 10_000_000,
  maxUsers: 1_000_000,
  maxDeletions: 100_000,
};
