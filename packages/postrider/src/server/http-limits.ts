// What callers may hold of the listening side, before anybody looks at what they want (decisions: limits on callers, a fair
// way in).
// Fixed: a server that needs other numbers has something in front of it.

export interface HttpLimits {
  /** How long a head may take to arrive, from the connection or from the answer before; then 408. */
  readonly headersTimeoutMs: number;
  /** How long a body may take to arrive after its head; then 408. An upload has no such bound, as long as it moves. */
  readonly requestTimeoutMs: number;
  /** How often heads are looked after; they may last so much longer. */
  readonly checkIntervalMs: number;
  /** How often it is seen whether the process may open a further file or socket. */
  readonly handleCheckMs: number;
  /** How long a connection stays open between two requests. */
  readonly keepAliveMs: number;
  /**
   * How long nothing at all may move on a connection, such as one whose caller does not read its answers. It may while a
   * request that has arrived is worked off.
   */
  readonly idleMs: number;
  /** Beyond it 431. */
  readonly maxHeaderBytes: number;
  /** Fields of a head. Beyond it 431. */
  readonly maxHeaders: number;
  /** Requests of one connection that are looked at in one turn of the loop; a further one ends the connection. */
  readonly maxPipelined: number;
  /** Connections at once; for a further one, one without a known key makes room, or it is dropped. */
  readonly maxConnections: number;
  /** Connections without a known key that one network may have before it is the first to make room. */
  readonly maxKeylessPerNetwork: number;
  /** Connections accepted in a row, after which one of those that wait is read in any case. */
  readonly maxAcceptedInRow: number;
  /** Those of them that one network has read at once; the others wait. */
  readonly maxPromptPerNetwork: number;
  /** Connections of those that wait that are read in one tick of the clock. */
  readonly maxStartsPerTick: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkIntervalMs: 1_000,
  handleCheckMs: 1_000,
  keepAliveMs: 5_000,
  idleMs: 60_000,
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  maxPipelined: 64,
  maxConnections: 1_000,
  maxKeylessPerNetwork: 250,
  maxAcceptedInRow: 16,
  maxPromptPerNetwork: 2,
  maxStartsPerTick: 4,
};

/**
 * Connections that the system holds until they are accepted, where it allows so many itself. Beyond it the system drops what
 * a caller dials, who tries again after a second; accepting all of them takes a quarter of that.
 */
export const MAX_UNACCEPTED = 4_096;
