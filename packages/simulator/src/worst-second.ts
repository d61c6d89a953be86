// Finds the second in which one receiver got the most requests: a window of 1,000 ms that may begin at any request.

import type { KnownRequest } from "./ledger/ledger.js";

/** A second at one receiver. */
export interface WorstSecond {
  /** The requests that the receiver got in it. */
  readonly requests: number;
  /** When it begins, in milliseconds from the start of the simulation. */
  readonly atMs: number;
}

/** The worst second of all receivers; the earliest, if several are equal. Null without requests. */
export function worstSecondOf(requests: readonly KnownRequest[]): WorstSecond | null {
  const byEndpoint = new Map<string, number[]>();
  for (const { endpoint, sentAt } of requests) {
    const times = byEndpoint.get(endpoint);
    if (times === undefined) byEndpoint.set(endpoint, [sentAt]);
    else times.push(sentAt);
  }
  let worst: WorstSecond | null = null;
  for (const times of byEndpoint.values()) {
    const found = fullestSecond(times.sort((one, other) => one - other));
    if (
      worst === null ||
      found.requests > worst.requests ||
      (found.requests === worst.requests && found.atMs < worst.atMs)
    )
      worst = found;
  }
  return worst;
}

/** The fullest second among times in order, of which there is at least one. */
function fullestSecond(times: readonly number[]): WorstSecond {
  let worst: WorstSecond = { requests: 0, atMs: 0 };
  let first = 0;
  for (const [last, at] of times.entries()) {
    while ((times[first] ?? at) <= at - 1_000) first += 1;
    const requests = last - first + 1;
    if (requests > worst.requests) worst = { requests, atMs: times[first] ?? at };
  }
  return worst;
}
