// Finds endpoints whose URL names an address that delivery will refuse, or this machine by its name. Where other names lead
// is seen when a connection is made (decision: private addresses).

import type { Config } from "@postrider/codec";
import { type EndpointId, mapInSteps, maskEndpoint, readEndpointUrl, runSteps, type Steps } from "@postrider/core";
import { createForbiddenHost } from "@postrider/undici";

export interface ForbiddenEndpoint {
  /** From the root of the config. */
  readonly path: string;
  readonly destination: string;
  /** Its query hidden. */
  readonly endpoint: string;
}

export function forbiddenEndpoints(config: Config): readonly ForbiddenEndpoint[] {
  return runSteps(forbiddenEndpointsInSteps(config));
}

/** The same in steps of one destination. */
export function* forbiddenEndpointsInSteps({ workspace, server }: Config): Steps<readonly ForbiddenEndpoint[]> {
  const forbids = createForbiddenHost(server.network);
  const found = yield* mapInSteps(workspace.destinations, ({ id, endpoints }, at) =>
    endpoints.flatMap(({ url }, index) => {
      const read = readEndpointUrl(url);
      if (read.kind === "bad" || !forbids(hostOf(read.id))) return [];
      const path = `destinations[${String(at)}].endpoints[${String(index)}].url`;
      return [{ path, destination: id, endpoint: maskEndpoint(read.id) }];
    }),
  );
  return found.flat();
}

/** `localhost` is this machine wherever it is looked up (RFC 6761, 6.3). */
function hostOf(endpoint: EndpointId): string {
  const { hostname } = new URL(endpoint);
  return /^(?:.+\.)?localhost\.?$/.test(hostname) ? "127.0.0.1" : hostname;
}
