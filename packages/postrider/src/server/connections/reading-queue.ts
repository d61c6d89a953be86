// Decides when an accepted connection is read (decision: connections in turns): at once if it is one of the first few of its network in a
// row of accepted ones. The others wait in a queue that is fair to networks; a few are read in each tick that accepts none.

import type { Clock } from "@postrider/core";

interface ReadingQueue<Connection> {
  /** Adds a connection that was accepted now: it is read at once, or waits. */
  add(connection: Connection, network: string): void;
  /** A connection that is removed is not read. */
  remove(connection: Connection): void;
  /** Removes all connections that wait, and returns them. */
  clear(): readonly Connection[];
}

export interface ReadingLimits {
  /** Connections accepted in a row, after which one waiting connection is read and a new row begins. */
  readonly maxAcceptedInRow: number;
  /** Connections of one network that are read immediately in each row; the others wait. */
  readonly maxPromptPerNetwork: number;
  /** Waiting connections that are read in one tick. */
  readonly maxStartsPerTick: number;
}

interface ReadingQueueOptions<Connection> {
  readonly limits: ReadingLimits;
  /** Reads a connection from now on. */
  readonly read: (connection: Connection) => void;
  /** Its shortest delay is one tick. */
  readonly clock: Pick<Clock, "after">;
}

/**
 * Creates an empty queue. Node accepts one connection in each turn of the event loop, oldest first: if each connection
 * were read at once, a connection that comes after a hundred others would wait until all of these are answered.
 */
export function createReadingQueue<Connection>(options: ReadingQueueOptions<Connection>): ReadingQueue<Connection> {
  const { limits, read, clock } = options;
  const queue = createConnectionQueue<Connection>();
  /** The number of connections of each network that have been accepted in this row. */
  const inRow = new Map<string, number>();
  let acceptedInRow = 0;
  /** True if a connection was accepted since the last tick. */
  let hasAccepted = false;
  let isScheduled = false;
  return {
    add: (connection, network) => {
      const networkCount = (inRow.get(network) ?? 0) + 1;
      inRow.set(network, networkCount);
      acceptedInRow += 1;
      hasAccepted = true;
      schedule();
      if (networkCount <= limits.maxPromptPerNetwork) read(connection);
      else queue.add(connection, network);
    },
    remove: (connection) => queue.remove(connection),
    clear: () => {
      const connections: Connection[] = [];
      for (let oldest = queue.next(); oldest !== undefined; oldest = queue.next()) connections.push(oldest);
      return connections;
    },
  };

  function schedule(): void {
    if (!isScheduled) clock.after(0, tick);
    isScheduled = true;
  }

  function tick(): void {
    isScheduled = false;
    if (!hasAccepted) readNext(limits.maxStartsPerTick);
    else if (acceptedInRow >= limits.maxAcceptedInRow) readNext(1);
    hasAccepted = false;
    if (acceptedInRow > 0 || queue.size() > 0) schedule();
  }

  /** Reads up to `most` waiting connections, and begins a new row. */
  function readNext(most: number): void {
    acceptedInRow = 0;
    inRow.clear();
    for (let remaining = most; remaining > 0; remaining -= 1) {
      const connection = queue.next();
      if (connection === undefined) return;
      read(connection);
    }
  }
}

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
      const connections = byNetwork.get(network) ?? new Set();
      byNetwork.set(network, connections.add(connection));
    },
    remove,
    next: () => {
      const [entry] = byNetwork;
      if (entry === undefined) return undefined;
      const [network, connections] = entry;
      const [oldest] = connections;
      if (oldest !== undefined) remove(oldest);
      if (byNetwork.delete(network) && connections.size > 0) byNetwork.set(network, connections);
      return oldest;
    },
    size: () => networks.size,
  };

  function remove(connection: Connection): void {
    const network = networks.get(connection);
    if (network === undefined) return;
    networks.delete(connection);
    const connections = byNetwork.get(network);
    connections?.delete(connection);
    if (connections?.size === 0) byNetwork.delete(network);
  }
}
