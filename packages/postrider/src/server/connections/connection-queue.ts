// A queue of connections with a lane for each network: the networks have their turns one after the other, and within a
// network the oldest goes first, so that many connections of one network delay only that network (decision: connections in
// turns). Knows no sockets.

export interface ConnectionQueue<Connection> {
  add(connection: Connection, network: string): void;
  /** Does nothing for one that is not in the queue. */
  remove(connection: Connection): void;
  /** Takes the next one out; undefined if the queue is empty. */
  next(): Connection | undefined;
  size(): number;
}

/** Empty at first. */
export function createConnectionQueue<Connection>(): ConnectionQueue<Connection> {
  const networks = new Map<Connection, string>();
  // Maps and sets keep their order: the network whose turn it is comes first.
  const lanes = new Map<string, Set<Connection>>();
  return {
    add: (connection, network) => {
      networks.set(connection, network);
      const lane = lanes.get(network) ?? new Set();
      lanes.set(network, lane.add(connection));
    },
    remove,
    next: () => {
      const [turn] = lanes;
      if (turn === undefined) return undefined;
      const [network, lane] = turn;
      const [oldest] = lane;
      if (oldest !== undefined) remove(oldest);
      if (lanes.delete(network) && lane.size > 0) lanes.set(network, lane);
      return oldest;
    },
    size: () => networks.size,
  };

  function remove(connection: Connection): void {
    const network = networks.get(connection);
    if (network === undefined) return;
    networks.delete(connection);
    const lane = lanes.get(network);
    lane?.delete(connection);
    if (lane?.size === 0) lanes.delete(network);
  }
}
