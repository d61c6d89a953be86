// How much a memory store takes before it answers `full`.

/**
 * Deliveries kept, finished ones included; bytes of their bodies; message ids remembered (decision: dedupe); users who are
 * suppressed or named in unfinished requests about them; and these requests, finished ones included.
 */
export interface Bounds {
  readonly maxDeliveries: number;
  readonly maxBytes: number;
  readonly maxMessageIds: number;
  readonly maxUsers: number;
  readonly maxDeletions: number;
}

/** A million deliveries and a gibibyte; ids fewer than elsewhere, since a Map ends at 16.7 million. */
export const DEFAULT_BOUNDS: Bounds = {
  maxDeliveries: 1_000_000,
  maxBytes: 1_073_741_824,
  maxMessageIds: 10_000_000,
  maxUsers: 1_000_000,
  maxDeletions: 100_000,
};
