// Copies bytes on the way in and out, so that a caller cannot change stored ones.

import type { Body, EndpointState } from "@postrider/core";

export function copyBody(body: Body): Body {
  return new Uint8Array(body) as Body;
}

export function copyEndpoints(endpoints: readonly EndpointState[]): readonly EndpointState[] {
  return endpoints.map(({ endpoint, refused, excerpt }) => ({
    endpoint,
    refused,
    ...(excerpt === undefined ? {} : { excerpt: new Uint8Array(excerpt) }),
  }));
}
