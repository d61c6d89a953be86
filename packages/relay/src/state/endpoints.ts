// What the relay knows of endpoints: until when each has asked to be left alone, and how many attempts of it are open.
// In memory only; a restart forgets it, and a receiver then says so again. How long somebody wants to be left alone is a
// duration, and does not change when the wall clock steps.

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
  /** The holds of a destination's endpoints that still last. */
  holds(destination: DestinationId): ReadonlyMap<EndpointId, EpochMs>;
  hold(destination: DestinationId, endpoint: EndpointId, until: EpochMs): void;
  /** Those of a destination that are at their bound of open attempts. */
  saturated(destination: DestinationId): ReadonlySet<EndpointId>;
  opened(destination: DestinationId, endpoint: EndpointId): void;
  closed(destination: DestinationId, endpoint: EndpointId): void;
  /** Forgets the holds of destinations that are gone. */
  keep(isInForce: (destination: DestinationId) => boolean): void;
}

/** `roomOf` a destination: how many of its deliveries may be under way. So many attempts of an endpoint are nothing unusual. */
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
