// Counts the requests under way and reserves the bytes of their bodies. A reservation lasts until the work on its
// request succeeds or fails; only this file makes and releases reservations (decision: limits on callers). Knows no
// sockets; request-end.ts detects the end of a request.

import type { ByteBudget } from "./byte-budget.js";

/** The number of requests under way. Budgets count the bytes of their bodies. */
export interface OpenRequests {
  /** Requests that are being read or wait for their answer. */
  readonly requests: number;
  /** Requests whose body is still arriving; a part of `requests`. */
  readonly reading: number;
}

/** What one request may reserve while it is under way. */
export interface RequestReservation {
  /** Whether this many more bytes fit now. */
  fits(bytes: number): boolean;
  /** Reserves this many more bytes and returns true; reserves none and returns false if they do not fit. */
  reserve(bytes: number): boolean;
  /** Notes that no more of the body will arrive. */
  endReading(): void;
}

export interface RequestCapacity {
  open(): OpenRequests;
  /** Counts a request until the promise of `work` settles; its bytes are reserved in `budget`. */
  during(budget: ByteBudget, work: (reservation: RequestReservation) => Promise<void>): Promise<void>;
}

/** Creates a capacity without requests under way. */
export function createRequestCapacity(): RequestCapacity {
  let requests = 0;
  let reading = 0;
  return { open: () => ({ requests, reading }), during };

  async function during(budget: ByteBudget, work: (reservation: RequestReservation) => Promise<void>): Promise<void> {
    const bytes = budget.open();
    let isReading = true;
    const endReading = (): void => {
      if (isReading) reading -= 1;
      isReading = false;
    };
    requests += 1;
    reading += 1;
    try {
      await work({ fits: (size) => budget.fits(size), reserve: (size) => bytes.reserve(size), endReading });
    } finally {
      endReading();
      bytes.release();
      requests -= 1;
    }
  }
}
