// Splits a byte budget among the networks that requests come from, so that none of them can take all of it. A network is
// remembered only as long as requests of it are open.

import { type ByteBudget, createByteBudget } from "./byte-budget.js";
import { networkOf } from "./network-of.js";

/** The budget of the network behind an address: `limitBytes` of `whole`; all of it where the address is not known. */
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
      held: () => entry.budget.held(),
      open: () => {
        networks.set(network, entry);
        entry.requests += 1;
        const hold = entry.budget.open();
        return {
          take: (bytes) => hold.take(bytes),
          release: () => {
            hold.release();
            entry.requests -= 1;
            if (entry.requests === 0) networks.delete(network);
          },
        };
      },
    };
  }
}
