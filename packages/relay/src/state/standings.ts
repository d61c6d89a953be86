// What the endpoints of each destination have answered of late, in memory only (decision: refusals). What succeeded before a step of
// the wall clock cannot be compared with what was refused after it, and is forgotten.

import type { DestinationId, EndpointId } from "@postrider/core";
import { afterReply, type HeardReply, NO_STANDING, type Standing } from "@postrider/core/engine";
import type { RelayState } from "./relay-state.js";
import type { WatchedClock } from "./watched-clock.js";

const NONE: ReadonlyMap<EndpointId, Standing> = new Map();

export interface EndpointStandings {
  readonly of: (destination: DestinationId) => ReadonlyMap<EndpointId, Standing>;
  /** To be called with each reply to a message. */
  readonly replied: (destination: DestinationId, endpoint: EndpointId, heard: HeardReply) => void;
  /** Forgets all destinations that are not in force. */
  keep(isInForce: (destination: DestinationId) => boolean): void;
  /** All that is known, for the relay that takes over. */
  remember(): RelayState["standings"];
}

/** `known`: what the former relay has known. */
export function createEndpointStandings(
  clock: Pick<WatchedClock, "wall" | "claimingSince">,
  known: RelayState["standings"] = [],
): EndpointStandings {
  const standings = new Map(known.map(([destination, of]) => [destination, new Map(of)]));
  let comparableSince = clock.claimingSince();

  function find(destination: DestinationId): Map<EndpointId, Standing> | undefined {
    const since = clock.claimingSince();
    if (since !== comparableSince) standings.clear();
    comparableSince = since;
    return standings.get(destination);
  }

  return {
    of: (destination) => find(destination) ?? NONE,
    replied: (destination, endpoint, heard): void => {
      const of = find(destination) ?? new Map<EndpointId, Standing>();
      const before = of.get(endpoint) ?? NO_STANDING;
      const after = afterReply(before, heard, clock.wall());
      if (after !== before) standings.set(destination, of.set(endpoint, after));
    },
    keep: (isInForce): void => {
      for (const destination of standings.keys()) if (!isInForce(destination)) standings.delete(destination);
    },
    remember: () => [...standings].map(([destination, of]) => [destination, [...of]]),
  };
}
