// Finds endpoints whose host is `localhost`, or an address to which deliveries will be refused. Other names are
// resolved and checked when a connection is made (decision: private addresses).

import type { Config } from "@postrider/codec";
import { type EndpointId, readEndpointUrl } from "@postrider/core";
import { mapInSteps, maskEndpoint, runSteps, type Steps } from "@postrider/core/engine";
import { createIsForbiddenHost } from "@postrider/undici";

export interface ForbiddenEndpoint {
  /** From the root of the config. */
  readonly path: string;
  readonly destination: string;
  /** The URL, with its query masked. */
  readonly endpoint: string;
}

export function forbiddenEndpoints(config: Config): readonly ForbiddenEndpoint[] {
  return runSteps(forbiddenEndpointsInSteps(config));
}

/** Like `forbiddenEndpoints`, in steps of one destination. */
export function* forbiddenEndpointsInSteps({ workspace, server }: Config): Steps<readonly ForbiddenEndpoint[]> {
  const forbids = createIsForbiddenHost(server.network);
  const found = yield* mapInSteps(workspace.destinations, ({ id, endpoints }, at) =>
    endpoints.flatMap(({ url }, index) => {
      const read = readEndpointUrl(url);
      if (read.kind === "refused" || !forbids(hostOf(read.id))) return [];
      const path = `destinations[${String(at)}].endpoints[${String(index)}].url`;
      return [{ path, destination: id, endpoint: maskEndpoint(read.id) }];
    }),
  );
  return found.flat();
}

/** `localhost` always means this machine (RFC 6761, 6.3). */
function hostOf(endpoint: EndpointId): string {
  const { hostname } = new URL(endpoint);
  return /^(?:.+\.)?localhost\.?$/.test(hostname) ? "127.0.0.1" : hostname;
}
