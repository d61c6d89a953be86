// Bounds how many connections are open at once, and selects the one to close when a new one exceeds the bound (decisions: fair admission,
// connections in turns). The caller closes it.

export interface ConnectionCapacity<Connection> {
  /**
   * Adds a new connection. If that exceeds the bound, removes a connection without a known key and returns it: the
   * oldest one of the network that is furthest over `maxKeylessPerNetwork`. If no network is over it: the oldest one
   * that has been read, or else the oldest unread one, since an unread connection could not show a key yet. This may be
   * the new connection.
   */
  add(connection: Connection, network: string): Connection | undefined;
  /** Notes that a connection is read from now on. */
  startReading(connection: Connection): void;
  /** Notes whether a connection may not be closed: it has shown a known key, or a request on it is being answered. */
  setKeyed(connection: Connection, isKeyed: boolean): void;
  /** Does nothing for a connection that was not added, or was removed before. */
  remove(connection: Connection): void;
  /** The number of open connections. */
  size(): number;
}

export interface CapacityLimits {
  readonly maxConnections: number;
  /** Connections without a known key per network. If one must be closed, networks that have more come first. */
  readonly maxKeylessPerNetwork: number;
}

/** Creates a capacity without connections. */
export function createConnectionCapacity<Connection>(limits: CapacityLimits): ConnectionCapacity<Connection> {
  const networks = new Map<Connection, string>();
  // Sets and maps keep their order: the oldest entry comes first.
  /** Those that are read, and may be closed: they have shown no known key. */
  const keyless = new Set<Connection>();
  const unread = new Set<Connection>();
  const byNetwork = new Map<string, Set<Connection>>();
  const overShare = new Set<ReadonlySet<Connection>>();
  return {
    add: (connection, network) => {
      networks.set(connection, network);
      unread.add(connection);
      addToNetwork(connection, network);
      if (networks.size <= limits.maxConnections) return undefined;
      const displaced = selectDisplaced(connection);
      remove(displaced);
      return displaced;
    },
    startReading: (connection) => {
      if (unread.delete(connection)) keyless.add(connection);
    },
    setKeyed: (connection, isKeyed) => {
      const network = networks.get(connection);
      if (network === undefined) return;
      if (isKeyed) protect(connection, network);
      else expose(connection, network);
    },
    remove,
    size: () => networks.size,
  };

  function selectDisplaced(newest: Connection): Connection {
    let largest: ReadonlySet<Connection> = new Set();
    for (const network of overShare) if (network.size > largest.size) largest = network;
    const candidates = keyless.size > 0 ? keyless : unread;
    const [oldest = newest] = largest.size > 0 ? largest : candidates;
    return oldest;
  }

  function remove(connection: Connection): void {
    const network = networks.get(connection);
    if (network === undefined) return;
    networks.delete(connection);
    protect(connection, network);
  }

  /** Allows a connection to be displaced. A connection that can already be displaced keeps its position. */
  function expose(connection: Connection, network: string): void {
    unread.delete(connection);
    keyless.add(connection);
    addToNetwork(connection, network);
  }

  function addToNetwork(connection: Connection, network: string): void {
    const networkConnections = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, networkConnections.add(connection));
    if (networkConnections.size > limits.maxKeylessPerNetwork) overShare.add(networkConnections);
  }

  /** Prevents a connection from being displaced. */
  function protect(connection: Connection, network: string): void {
    keyless.delete(connection);
    unread.delete(connection);
    const networkConnections = byNetwork.get(network);
    if (networkConnections?.delete(connection) !== true) return;
    if (networkConnections.size <= limits.maxKeylessPerNetwork) overShare.delete(networkConnections);
    if (networkConnections.size === 0) byNetwork.delete(network);
  }
}
