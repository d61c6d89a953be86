// A queue of connections that is fair to networks: each network in turn has its oldest connection taken out, so that
// many connections of one network delay only that network (decision: connections in turns). Knows no sockets.

export interface ConnectionQueue<Connection> {
  add(connection: Connection, network: string): void;
  /** Does nothing for a connection that is not in the queue. */
  remove(connection: Connection): void;
  /** Takes the next connection out; undefined if the queue is empty. */
  next(): Connection | undefined;
  size(): number;
}

/** Creates an empty queue. */
export function createConnectionQueue<Connection>(): ConnectionQueue<Connection> {
  const networks = new Map<Connection, string>();
  // Maps and sets keep their order: the network whose turn it is comes first.
  const byNetwork = new Map<string, Set<Connection>>();
  return {
    add: (connection, network) => {
      networks.set(connection, network);
      const ofNetwork = byNetwork.get(network) ?? new Set();
      byNetwork.set(network, ofNetwork.add(connection));
    },
    remove,
    next: () => {
      const [first] = byNetwork;
      if (first === undefined) return undefined;
      const [network, ofNetwork] = first;
      const [oldest] = ofNetwork;
      if (oldest !== undefined) remove(oldest);
      if (byNetwork.delete(network) && ofNetwork.size > 0) byNetwork.set(network, ofNetwork);
      return oldest;
    },
    size: () => networks.size,
  };

  function remove(connection: Connection): void {
    const network = networks.get(connection);
    if (network === undefined) return;
    networks.delete(connection);
    const ofNetwork = byNetwork.get(network);
    ofNetwork?.delete(connection);
    if (ofNetwork?.size === 0) byNetwork.delete(network);
  }
}
