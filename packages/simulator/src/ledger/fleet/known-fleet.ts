// The ledger's records of several servers on one store, by true time: the processes that run, their claims, the rounds of each lane
// and endpoint over all servers; and the tolerance within which they must act as one. All times are monotonic.

import type { DeliveryId, DestinationId, EndpointId, LeaseToken } from "@postrider/core";

export interface KnownFleet {
  /** The processes that run. */
  readonly running: Set<number>;
  readonly deliveries: Map<DeliveryId, FleetDelivery>;
  readonly lanes: Map<DestinationId, FleetLane>;
  readonly endpoints: Map<EndpointId, FleetEndpoint>;
  /** The time at which the store last recovered, or a process went on after a freeze; infinite while the store fails. */
  steadySince: number;
}

interface FleetDelivery {
  /** The claim of each process that has not settled it. */
  readonly claims: Map<number, KnownClaim>;
  /** The times at which the first and the last recorded round were sent. */
  firstSentAt: number | undefined;
  lastSentAt: number | undefined;
}

interface KnownClaim {
  readonly token: LeaseToken;
  /** The end of its lease. */
  readonly until: number;
  /** True if the process has sent the delivery under it. */
  isSent: boolean;
}

export interface FleetLane {
  /** The time since which each process sends only probes, because the receiver failed, or refused whatever it got. */
  readonly heldSince: Map<number, number>;
  /** The last round that was sent while all servers had to know that the lane is held. */
  lastProbe: KnownProbe | undefined;
  /** The successes that its receivers have answered: each lets one server send one delivery more at once. */
  successes: number;
  /** The rounds that all servers together may still start, as of an instant. */
  roundsLeft: { readonly count: number; readonly atMs: number } | undefined;
}

/** A round as its first request shows it; the request itself is in the ledger. */
interface KnownProbe {
  readonly sentAt: number;
  /** The result, as soon as it is known. */
  readonly result: string | undefined;
}

export interface FleetEndpoint {
  /** The open requests of each process. */
  readonly open: Map<number, number>;
  /** The last hold that it asked for by Retry-After, and the process that has heard it. */
  hold: { readonly heardBy: number; readonly heardAt: number; readonly until: number } | undefined;
}

export function createKnownFleet(): KnownFleet {
  return { running: new Set(), deliveries: new Map(), lanes: new Map(), endpoints: new Map(), steadySince: 0 };
}

export function fleetDeliveryOf({ deliveries }: KnownFleet, id: DeliveryId): FleetDelivery {
  const create = (): FleetDelivery => ({ claims: new Map(), firstSentAt: undefined, lastSentAt: undefined });
  return entryOf(deliveries, id, create);
}

export function fleetLaneOf({ lanes }: KnownFleet, id: DestinationId): FleetLane {
  const create = (): FleetLane => ({ heldSince: new Map(), lastProbe: undefined, successes: 0, roundsLeft: undefined });
  return entryOf(lanes, id, create);
}

export function fleetEndpointOf({ endpoints }: KnownFleet, id: EndpointId): FleetEndpoint {
  return entryOf(endpoints, id, () => ({ open: new Map(), hold: undefined }));
}

function entryOf<Key, Entry>(all: Map<Key, Entry>, key: Key, create: () => Entry): Entry {
  const existing = all.get(key);
  if (existing !== undefined) return existing;
  const entry = create();
  all.set(key, entry);
  return entry;
}

/** Within this time, each server must act on what another has learnt. */
export const LEARN_MS = 2_000;

/** A lease may be taken over this long before its end: it may count from the time of the request, and a slow store takes a while. */
export const LEASE_END_MS = 250;

/** By how much a server that asks the store for the time may be wrong about it. */
export const CLOCK_ERROR_MS = 100;

/** By how much a retry window may be off, by true time. */
export const WINDOW_MS = 1_000;

/** The bound on the open attempts, and rounds a second, of all servers, as a multiple of the bound of one. */
export const OPEN_SHARE = 1.25;

export const RATE_SHARE = 1.05;

/** The time at which all servers must know what one has learnt. A store that ails informs none of them. */
export function knownToAllAt({ steadySince }: KnownFleet, learntAt: number): number {
  return Math.max(learntAt, steadySince) + LEARN_MS;
}
