// The port of randomness: the only source of jitter, tokens and random message ids.

/** The port for random numbers and bytes. */
export interface Random {
  /** Uniform in [0, 1). */
  unit(): number;
  /** `count` random bytes for tokens and ids; cryptographically secure in production. */
  bytes(count: number): Uint8Array;
}
