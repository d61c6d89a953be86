// The requests that the servers of this process have open, by the URL of the receiver: the time of one that will be answered is
// not the situation's, so the clock stands still for it.

import { subscribe } from "node:diagnostics_channel";

interface OpenRequest {
  readonly origin: string;
  readonly path: string;
}

const open = new Set<OpenRequest>();

const requestOf = (event: unknown): OpenRequest => (event as { readonly request: OpenRequest }).request;

subscribe("undici:request:create", (event) => open.add(requestOf(event)));
for (const end of ["trailers", "error"])
  subscribe(`undici:request:${end}`, (event) => {
    open.delete(requestOf(event));
  });

/** The URLs of the requests that have no whole answer yet. */
export function openRequests(): readonly string[] {
  return [...open].map(({ origin, path }) => `${origin}${path}`);
}
