// The recipients of a config: the destinations, and the hooks that are notified. Warnings about URLs and secrets are the same for both.

import type { Destination, Endpoint, NotifyHook, Secret } from "@postrider/core";

/** A destination or a hook. */
export interface Recipient {
  /** The id of the destination; absent for a hook. */
  readonly destination?: string;
  readonly path: string;
  readonly endpoints: readonly PlacedEndpoint[];
  /** Newest first. */
  readonly secrets: readonly Secret[];
  readonly standardWebhooks: boolean;
}

/** An endpoint and where it is in the config. */
export interface PlacedEndpoint extends Endpoint {
  readonly path: string;
}

export function recipientOfDestination(
  { id, endpoints, secrets, standardWebhooks = false }: Destination,
  index: number,
): Recipient {
  const path = `destinations[${String(index)}]`;
  const placed = endpoints.map((endpoint, at) => ({ ...endpoint, path: `${path}.endpoints[${String(at)}]` }));
  return { destination: id, path, endpoints: placed, secrets, standardWebhooks };
}

export function recipientOfHook(
  { url, headers, secrets, standardWebhooks = false }: NotifyHook,
  index: number,
): Recipient {
  const path = `notify[${String(index)}]`;
  return { path, endpoints: [{ url, headers, path }], secrets, standardWebhooks };
}
