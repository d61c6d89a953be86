// What each request holds of the process while it is read and answered. The only place where a share is taken, and where
// it is given back: a share lives as long as the work that it was lent to, whichever way that ends
// (decision: limits on callers). Knows no sockets; what ends a request stands in request-end.ts.

import type { ByteBudget } from "./byte-budget.js";

/** The requests under way; what their bodies hold is known to their budgets. */
export interface OpenRequests {
  /** Requests that are being read or wait for their answer. */
  readonly requests: number;
  /** Those of them whose body is still arriving. */
  readonly reading: number;
}

/** The share of one request. */
export interface RequestShare {
  /** Whether so many more bytes would find room now. */
  fits(bytes: number): boolean;
  /** Holds so many more bytes, or none. */
  take(bytes: number): boolean;
  /** Notes that no more of the body is coming. */
  endReading(): void;
}

export interface RequestShares {
  open(): OpenRequests;
  /** Lends a share to `use` until its promise settles; its bytes come out of `budget`. */
  lend(budget: ByteBudget, use: (share: RequestShare) => Promise<void>): Promise<void>;
}

/** Nothing is held at first. */
export function createRequestShares(): RequestShares {
  let requests = 0;
  let reading = 0;
  return { open: () => ({ requests, reading }), lend };

  async function lend(budget: ByteBudget, use: (share: RequestShare) => Promise<void>): Promise<void> {
    const hold = budget.open();
    let isReading = true;
    const endReading = (): void => {
      if (isReading) reading -= 1;
      isReading = false;
    };
    requests += 1;
    reading += 1;
    try {
      await use({ fits: (bytes) => budget.fits(bytes), take: (bytes) => hold.take(bytes), endReading });
    } finally {
      endReading();
      hold.release();
      requests -= 1;
    }
  }
}
