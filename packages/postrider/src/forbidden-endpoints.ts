// Finds endpoints whose URL names an address that delivery will refuse, or this machine by its name. Where other names lead
// is seen when a connection is made (decision: private addresses).

import type { Config } from "@postrider/codec";
import { maskEndpoint, readEndpointUrl } from "@postrider/core";
import { forbiddenLiteral } from "@postrider/undici";

export interface ForbiddenEndpoint {
  /** From the root of the config. */
  readonly path: string;
  readonly destination: string;
  /** Its query hidden. */
  readonly endpoint: string;
}

export function forbiddenEndpoints({ workspace, server }: Config): readonly ForbiddenEndpoint[] {
  return workspace.destinations.flatMap(({ id, endpoints }, at) =>
    endpoints.flatMap(({ url }, index) => {
      const read = readEndpointUrl(url);
      if (read.kind === "bad" || !forbiddenLiteral(withLoopback(url), server.network)) return [];
      const path = `destinations[${String(at)}].endpoints[${String(index)}].url`;
      return [{ path, destination: id, endpoint: maskEndpoint(read.id) }];
    }),
  );
}

/** `localhost` is this machine wherever it is looked up (RFC 6761, 6.3). */
function withLoopback(url: string): string {
  const named = new URL(url);
  if (/^(?:.+\.)?localhost\.?$/.test(named.hostname)) named.hostname = "127.0.0.1";
  return named.href;
}
