// The port of chance: jitter, tokens and message ids come from here and from nowhere else.

export interface Random {
  /** Uniform in [0, 1). */
  unit(): number;
  /** `count` bytes, fit for tokens: a guess must be hopeless in production. */
  bytes(count: number): Uint8Array;
}
