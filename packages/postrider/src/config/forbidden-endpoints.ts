// Finds endpoints whose host is `localhost`, or an address to which no connection will be made. Other names are
// resolved and checked when a connection is made (decision: private addresses).

import type { NetworkSettings } from "@postrider/codec";
import { type EndpointId, readEndpointUrl } from "@postrider/core";
import { defined, maskEndpoint } from "@postrider/core/engine";
import { createIsForbiddenHost } from "@postrider/undici";
import type { Called } from "./called.js";
import type { ConfigWarning } from "./config-warning.js";

/**
 * Returns a function that makes a warning for each such endpoint. Without `vetsAddresses`, the host brings its HTTP port, which may reach
 * any address.
 */
export function createForbiddenEndpoints(
  network: NetworkSettings,
  vetsAddresses: boolean,
): (called: Called) => readonly ConfigWarning[] {
  const forbids = createIsForbiddenHost(network);
  return ({ destination, endpoints }) =>
    endpoints.flatMap(({ url, path }): readonly ConfigWarning[] => {
      const read = readEndpointUrl(url);
      const hosts = read.kind === "ok" ? hostsOf(read.id) : [];
      if (read.kind === "refused" || !hosts.every(forbids)) return [];
      const endpoint = maskEndpoint(read.id);
      const effects = vetsAddresses
        ? {
            code: "forbidden-address" as const,
            effect: `${endpoint} is not a public address, so no connection is made to it`,
            change: allowLine(network.allow, rangesFor(hosts)),
          }
        : {
            code: "unvetted-address" as const,
            effect: `${endpoint} is not a public address, and the HTTP port of the host sends to it: addresses are not vetted`,
            change: "if it is not meant, let that port refuse such addresses, or leave http out",
          };
      return [{ ...effects, path: `${path}.url`, ...defined({ destination }), endpoint }];
    });
}

/** The line of a config that allows these addresses in addition to those that it allows. */
export function allowLine(allowed: readonly string[], added: readonly string[]): string {
  const allow = [...new Set([...allowed, ...added])];
  return `if it is meant, write "network": { "allow": ${JSON.stringify(allow).replaceAll('","', '", "')} }`;
}

const LOOPBACK = "127.0.0.1";

/** The hosts of which one has to be allowed. `localhost` always means this machine (RFC 6761, 6.3). */
function hostsOf(endpoint: EndpointId): readonly string[] {
  const { hostname } = new URL(endpoint);
  return /^(?:.+\.)?localhost\.?$/.test(hostname) ? [LOOPBACK, "[::1]"] : [hostname];
}

function rangesFor(hosts: readonly string[]): readonly string[] {
  return hosts.flatMap((host) => (host === LOOPBACK ? ["127.0.0.0/8", "::1"] : [host.replace(/^\[(.*)\]$/, "$1")]));
}
