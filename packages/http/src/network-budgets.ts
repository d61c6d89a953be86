// Splits a byte budget among the networks that requests come from, so that no network can use all of it. A network has an
// entry only while it has open requests. network-of.ts decides how an address maps to a network.

import { type ByteBudget, createByteBudget } from "./byte-budget.js";
import { networkOf } from "./network-of.js";

/**
 * Returns a function from an address to its budget: `limitBytes` of `whole` for its network; `whole` if it is unknown.
 */
export function createNetworkBudgets(
  limitBytes: number,
  whole: ByteBudget,
): (address: string | undefined) => ByteBudget {
  const networks = new Map<string, { readonly budget: ByteBudget; requests: number }>();
  return (address) => {
    const network = networkOf(address);
    return network === undefined ? whole : budgetOf(network);
  };

  function budgetOf(network: string): ByteBudget {
    const entry = networks.get(network) ?? { budget: createByteBudget(limitBytes, whole), requests: 0 };
    return {
      fits: (bytes) => entry.budget.fits(bytes),
      reserved: () => entry.budget.reserved(),
      open: () => {
        networks.set(network, entry);
        entry.requests += 1;
        const reservation = entry.budget.open();
        return {
          reserve: (bytes) => reservation.reserve(bytes),
          release: () => {
            reservation.release();
            entry.requests -= 1;
            if (entry.requests === 0) networks.delete(network);
          },
        };
      },
    };
  }
}
