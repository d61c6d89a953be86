// Copies bytes when they are stored and read, so that a caller cannot change the stored ones.

import type { Body, EndpointState } from "@postrider/core";

export function copyBody(body: Body): Body {
  return new Uint8Array(body) as Body;
}

export function copyEndpoints(endpoints: readonly EndpointState[]): readonly EndpointState[] {
  return endpoints.map(({ excerpt, ...state }) => ({
    ...state,
    ...(excerpt === undefined ? {} : { excerpt: new Uint8Array(excerpt) }),
  }));
}
