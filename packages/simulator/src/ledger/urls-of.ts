// The URLs of a destination's endpoints in their normal form, which is slow to find.

import { type Destination, type EndpointId, endpointId } from "@postrider/core";

const normalUrls = new WeakMap<Destination, readonly EndpointId[]>();

export function urlsOf(destination: Destination | undefined): readonly EndpointId[] {
  if (destination === undefined) return [];
  const known = normalUrls.get(destination);
  if (known !== undefined) return known;
  const urls = destination.endpoints.map(({ url }) => endpointId(new URL(url).href));
  normalUrls.set(destination, urls);
  return urls;
}
