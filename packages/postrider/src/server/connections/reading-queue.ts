// Decides when an accepted connection is read (decision: connections in turns): the first few of each network in a row of accepted ones at
// once. The others wait in a queue that is fair to networks, and a few are read in each tick without a new one.

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
  let accepted = 0;
  let hasAccepted = false;
  let isScheduled = false;
  return {
    add: (connection, network) => {
      const ofNetwork = (inRow.get(network) ?? 0) + 1;
      inRow.set(network, ofNetwork);
      accepted += 1;
      hasAccepted = true;
      schedule();
      if (ofNetwork <= limits.maxPromptPerNetwork) read(connection);
      else queue.add(connection, network);
    },
    remove: (connection) => queue.remove(connection),
    clear: () => {
      const connections: Connection[] = [];
      for (let next = queue.next(); next !== undefined; next = queue.next()) connections.push(next);
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
    else if (accepted >= limits.maxAcceptedInRow) readNext(1);
    hasAccepted = false;
    if (accepted > 0 || queue.size() > 0) schedule();
  }

  /** Reads up to `most` waiting connections, and begins a new row. */
  function readNext(most: number): void {
    accepted = 0;
    inRow.clear();
    for (let remaining = most; remaining > 0; remaining -= 1) {
      const next = queue.next();
      if (next === undefined) return;
      read(next);
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
