// Which connections have a place among those that are open at once, and which of them makes room when all places are
// taken: of those without a known key, the one that has waited longest, from a network that has more of them than its
// share, where there is such a network (decision: a fair way in). What has not been read yet has had no chance to show a key,
// and goes after what has (decision: connections in turns). Knows no sockets, and closes nothing.

export interface ConnectionPlaces<Connection> {
  /**
   * Gives a new connection a place. Where that is one too many, answers which has lost its place: another one, or the new
   * one itself where all others have shown a key.
   */
  enter(connection: Connection, network: string): Connection | undefined;
  /** Notes that a connection is read from now on. */
  begin(connection: Connection): void;
  /** Notes whether a connection has shown a known key, or is being answered. One that has is not asked to make room. */
  note(connection: Connection, isKeyed: boolean): void;
  leave(connection: Connection): void;
  /** How many are taken. */
  size(): number;
}

export interface PlacesOptions {
  readonly maxConnections: number;
  /** What a network may have without a known key before it is the first to make room. */
  readonly maxKeylessPerNetwork: number;
}

/** So many places, none of them taken. */
export function createConnectionPlaces<Connection>(options: PlacesOptions): ConnectionPlaces<Connection> {
  const networks = new Map<Connection, string>();
  // Sets and maps keep their order: what has waited longest stands first.
  const waiting = new Set<Connection>();
  const unread = new Set<Connection>();
  const byNetwork = new Map<string, Set<Connection>>();
  const overShare = new Set<ReadonlySet<Connection>>();
  return {
    enter: (connection, network) => {
      networks.set(connection, network);
      unread.add(connection);
      join(connection, network);
      if (networks.size <= options.maxConnections) return undefined;
      const loser = nextToLeave(connection);
      leave(loser);
      return loser;
    },
    begin: (connection) => {
      if (unread.delete(connection)) waiting.add(connection);
    },
    note: (connection, isKeyed) => {
      const network = networks.get(connection);
      if (network === undefined) return;
      if (isKeyed) endWait(connection, network);
      else wait(connection, network);
    },
    leave,
    size: () => networks.size,
  };

  function nextToLeave(newest: Connection): Connection {
    let most: ReadonlySet<Connection> = new Set();
    for (const one of overShare) if (one.size > most.size) most = one;
    const keyless = waiting.size > 0 ? waiting : unread;
    const [longest = newest] = most.size > 0 ? most : keyless;
    return longest;
  }

  function leave(connection: Connection): void {
    const network = networks.get(connection);
    if (network === undefined) return;
    networks.delete(connection);
    endWait(connection, network);
  }

  /** What waits already keeps its turn. */
  function wait(connection: Connection, network: string): void {
    unread.delete(connection);
    waiting.add(connection);
    join(connection, network);
  }

  function join(connection: Connection, network: string): void {
    const same = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, same.add(connection));
    if (same.size > options.maxKeylessPerNetwork) overShare.add(same);
  }

  function endWait(connection: Connection, network: string): void {
    waiting.delete(connection);
    unread.delete(connection);
    const same = byNetwork.get(network);
    if (same?.delete(connection) !== true) return;
    if (same.size <= options.maxKeylessPerNetwork) overShare.delete(same);
    if (same.size === 0) byNetwork.delete(network);
  }
}
