// Every number that bounds connections and requests before they are handled (decisions: limits on callers, fair admission).
// They are not settings: a server that needs other numbers has a proxy in front of it.

/** The time limits and bounds of the server on the connections of callers. Times are in milliseconds. */
export interface HttpLimits {
  /** The longest TLS handshake, from the first read of the connection; then the connection is closed. */
  readonly handshakeTimeoutMs: number;
  /** The longest arrival of a head, from the connection, its TLS handshake or the previous answer; then 408. */
  readonly headersTimeoutMs: number;
  /** The longest arrival of a body after its head; then 408. An upload has no such bound while bytes arrive. */
  readonly requestTimeoutMs: number;
  /** The time between two checks of how long heads take; a head may take this much longer. */
  readonly checkIntervalMs: number;
  /** The time between two checks whether the process can open a further file or socket. */
  readonly handleCheckMs: number;
  /** The longest time that a connection stays open between two requests. */
  readonly keepAliveMs: number;
  /**
   * The longest idle time of a connection, for example while its caller does not read answers. Time in which a complete request is handled
   * does not count.
   */
  readonly idleMs: number;
  /** Bytes of a head. A longer head is answered 431. */
  readonly maxHeaderBytes: number;
  /** Fields of a head. A head with more fields is answered 431. */
  readonly maxHeaders: number;
  /**
   * Requests of one connection that are handled in one turn of the event loop; a further request closes the connection.
   */
  readonly maxPipelined: number;
  /** Open connections; beyond that, a connection without a known key is closed, or else the new one is dropped. */
  readonly maxConnections: number;
  /** Connections without a known key per network. If one must be closed, networks that have more come first. */
  readonly maxKeylessPerNetwork: number;
  /** Connections accepted in a row, after which one waiting connection is read and a new row begins. */
  readonly maxAcceptedInRow: number;
  /** Connections of one network that are read immediately in each row; the others wait. */
  readonly maxPromptPerNetwork: number;
  /** Waiting connections that are read in one tick of the clock. */
  readonly maxStartsPerTick: number;
}

export const HTTP_LIMITS: HttpLimits = {
  handshakeTimeoutMs: 10_000,
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
 * Connections that the system queues until they are accepted, if the limit of the system is not lower. Beyond that the
 * system drops connection attempts, and callers try again after a second. Accepting a full queue takes a quarter of a
 * second.
 */
export const MAX_UNACCEPTED_CONNECTIONS = 4_096;
