// Where the deliveries that this process has claimed are in their leases, so that the database need not look for them when they are
// settled. What is not known here, such as a claim of another process, is looked for.

import type { DeliveryId, LeaseToken } from "@postrider/core";

/** The place of a delivery in its lease, and what does not change while it is there. */
export interface LeasedPlace {
  readonly lease: number;
  /** The number of deliveries that the lease was made with. */
  readonly entries: number;
  /** From 1, as in the arrays of the lease. */
  readonly pos: number;
  readonly lane: number;
  readonly source: number;
  readonly size: number;
}

/** A lease, and the number of its deliveries. */
export type BegunLease = Pick<LeasedPlace, "lease" | "entries">;

/** The lane, source and size of a delivery that is claimed. */
type ClaimedEntry = Pick<LeasedPlace, "lane" | "source" | "size">;

export interface Leased {
  /** Leases that have begun, by their lanes. The returned function takes their deliveries, those of each lane in the order of its lease. */
  begin(token: LeaseToken, leaseByLane: ReadonlyMap<number, BegunLease>): (id: DeliveryId, entry: ClaimedEntry) => void;
  find(id: DeliveryId, token: LeaseToken): LeasedPlace | undefined;
  forget(ids: readonly DeliveryId[]): void;
}

/** The most deliveries whose places are remembered; beyond that, all are forgotten. */
const MAX_LEASED = 100_000;

export function createLeased(): Leased {
  const claimed = new Map<DeliveryId, LeasedPlace & { readonly token: LeaseToken }>();
  return {
    begin: (token, leaseByLane) => {
      const counts = new Map<number, number>();
      return (id, { lane, source, size }) => {
        const begun = leaseByLane.get(lane);
        if (begun === undefined) return;
        const pos = (counts.get(lane) ?? 0) + 1;
        counts.set(lane, pos);
        if (claimed.size >= MAX_LEASED) claimed.clear();
        claimed.set(id, { token, lease: begun.lease, entries: begun.entries, pos, lane, source, size });
      };
    },
    find: (id, token) => {
      const found = claimed.get(id);
      return found?.token === token ? found : undefined;
    },
    forget: (ids) => {
      for (const id of ids) claimed.delete(id);
    },
  };
}
