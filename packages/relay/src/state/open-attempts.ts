// How many attempts are open at each endpoint of a destination. Must not know how many there may be.

import type { DestinationId, EndpointId } from "@postrider/core";

/** An endpoint to which a request is sent, and the destination for which it is sent. */
export interface AttemptedEndpoint {
  readonly destination: DestinationId;
  readonly endpoint: EndpointId;
}

export interface OpenAttempts {
  /** Counts one more or one fewer open attempt. */
  count(at: AttemptedEndpoint, step: 1 | -1): void;
  /** The endpoints of a destination with at least `bound` open attempts. */
  atLeast(bound: number, destination: DestinationId): ReadonlySet<EndpointId>;
}

const NO_ENDPOINTS: ReadonlySet<EndpointId> = new Set();

export function createOpenAttempts(): OpenAttempts {
  const open = new Map<DestinationId, Map<EndpointId, number>>();
  return {
    count: ({ destination, endpoint }, step): void => {
      const counts = open.get(destination) ?? new Map<EndpointId, number>();
      open.set(destination, counts);
      const attempts = (counts.get(endpoint) ?? 0) + step;
      if (attempts > 0) counts.set(endpoint, attempts);
      else counts.delete(endpoint);
      if (counts.size === 0) open.delete(destination);
    },
    atLeast: (bound, destination) => {
      let full: Set<EndpointId> | undefined;
      for (const [endpoint, attempts] of open.get(destination) ?? []) {
        if (attempts >= bound) full = (full ?? new Set()).add(endpoint);
      }
      return full ?? NO_ENDPOINTS;
    },
  };
}
