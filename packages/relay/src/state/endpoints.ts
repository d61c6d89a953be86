// The relay's view of endpoints: the hold of each, and its number of open attempts. In memory only; after a restart a
// receiver sets its hold again. A hold is a duration, and does not change when the wall clock steps.

import {
  type Clock,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  epochMs,
  type MonoMs,
  plusMs,
} from "@postrider/core";
import { MAX_OPEN_ATTEMPTS } from "@postrider/core/engine";

const NO_HOLDS: ReadonlyMap<EndpointId, EpochMs> = new Map();
const NOBODY: ReadonlySet<EndpointId> = new Set();

export interface Endpoints {
  /** The holds of a destination's endpoints that are still in force. */
  holds(destination: DestinationId): ReadonlyMap<EndpointId, EpochMs>;
  hold(destination: DestinationId, endpoint: EndpointId, until: EpochMs): void;
  /** The endpoints of a destination that have reached their bound of open attempts. */
  saturated(destination: DestinationId): ReadonlySet<EndpointId>;
  opened(destination: DestinationId, endpoint: EndpointId): void;
  closed(destination: DestinationId, endpoint: EndpointId): void;
  /** Removes the holds of destinations that are not in force. */
  keep(isInForce: (destination: DestinationId) => boolean): void;
}

/**
 * `roomOf` returns how many deliveries of a destination may be under way. An endpoint may usually have that many open
 * attempts.
 */
export function createEndpoints(clock: Clock, roomOf: (destination: DestinationId) => number): Endpoints {
  const holds = new Map<DestinationId, Map<EndpointId, MonoMs>>();
  const open = new Map<DestinationId, Map<EndpointId, number>>();

  function count(destination: DestinationId, endpoint: EndpointId, step: 1 | -1): void {
    const counts = open.get(destination) ?? new Map<EndpointId, number>();
    open.set(destination, counts);
    const attempts = (counts.get(endpoint) ?? 0) + step;
    if (attempts > 0) counts.set(endpoint, attempts);
    else counts.delete(endpoint);
    if (counts.size === 0) open.delete(destination);
  }

  return {
    holds: (destination) => {
      const held = holds.get(destination);
      if (held === undefined) return NO_HOLDS;
      const offsetMs = clock.wall() - clock.monotonic();
      const lasting = [...held].filter(([, until]) => until > clock.monotonic());
      return new Map(lasting.map(([endpoint, until]) => [endpoint, epochMs(Math.ceil(until + offsetMs))]));
    },
    hold: (destination, endpoint, until): void => {
      const held = holds.get(destination) ?? new Map<EndpointId, MonoMs>();
      const lastsUntil = plusMs(clock.monotonic(), until - clock.wall());
      holds.set(destination, held.set(endpoint, lastsUntil));
    },
    saturated: (destination) => {
      const bound = Math.max(MAX_OPEN_ATTEMPTS, roomOf(destination));
      let full: Set<EndpointId> | undefined;
      for (const [endpoint, attempts] of open.get(destination) ?? []) {
        if (attempts >= bound) full = (full ?? new Set()).add(endpoint);
      }
      return full ?? NOBODY;
    },
    opened: (destination, endpoint): void => {
      count(destination, endpoint, 1);
    },
    closed: (destination, endpoint): void => {
      count(destination, endpoint, -1);
    },
    keep: (isInForce): void => {
      for (const destination of holds.keys()) if (!isInForce(destination)) holds.delete(destination);
    },
  };
}
