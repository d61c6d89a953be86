// Where the deliveries that this process has claimed are in their leases, so that the database need not look for them when they are
// settled. What is not known here, such as a claim of another process, is looked for.

import type { DeliveryId, LeaseToken } from "@postrider/core";

/** The place of a delivery in its lease, and what does not change while it is there. */
export interface LeasedPlace {
  readonly lease: number;
  /** From 1, as in the arrays of the lease. */
  readonly pos: number;
  readonly lane: number;
  readonly source: number;
  readonly size: number;
}

export interface Leased {
  learn(id: DeliveryId, token: LeaseToken, place: LeasedPlace): void;
  find(id: DeliveryId, token: LeaseToken): LeasedPlace | undefined;
  forget(ids: readonly DeliveryId[]): void;
}

/** The most deliveries whose places are remembered; beyond that, all are forgotten. */
const MAX_LEASED = 100_000;

export function createLeased(): Leased {
  const claimed = new Map<DeliveryId, { readonly token: LeaseToken; readonly place: LeasedPlace }>();
  return {
    learn: (id, token, place) => {
      if (claimed.size >= MAX_LEASED) claimed.clear();
      claimed.set(id, { token, place });
    },
    find: (id, token) => {
      const found = claimed.get(id);
      return found?.token === token ? found.place : undefined;
    },
    forget: (ids) => {
      for (const id of ids) claimed.delete(id);
    },
  };
}

/** The places in leases that have begun, in their order: `next` gives that of the next delivery of a lane. */
export interface NewPlaces {
  next(entry: Omit<LeasedPlace, "lease" | "pos">): LeasedPlace | undefined;
}

/** @param leaseByLane - the numbers of the new leases */
export function createNewPlaces(leaseByLane: ReadonlyMap<number, number>): NewPlaces {
  const counts = new Map<number, number>();
  return {
    next: (entry) => {
      const lease = leaseByLane.get(entry.lane);
      const pos = (counts.get(entry.lane) ?? 0) + 1;
      counts.set(entry.lane, pos);
      return lease === undefined ? undefined : { ...entry, lease, pos };
    },
  };
}
