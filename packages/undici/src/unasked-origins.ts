// Remembers the origins that have sent an answer that no request asked for, bounded in number, so that each of their connections
// is used for one request (decision: connections have an age). What counts as one is decided where it comes in.

import { MAX_UNASKED_ORIGINS } from "./limits.js";

export interface UnaskedOrigins {
  has(origin: string): boolean;
  /** Reports the origin, if it was not known. */
  add(origin: string): void;
}

/** `report` is called once for each origin; beyond the limit, the one that is known longest is forgotten. */
export function createUnaskedOrigins(report: (origin: string) => void): UnaskedOrigins {
  const origins = new Set<string>();
  return {
    has: (origin) => origins.size > 0 && origins.has(origin),
    add(origin) {
      if (origins.has(origin)) return;
      if (origins.size >= MAX_UNASKED_ORIGINS) for (const oldest of [...origins].slice(0, 1)) origins.delete(oldest);
      origins.add(origin);
      report(origin);
    },
  };
}
