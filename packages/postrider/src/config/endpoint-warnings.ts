// Finds endpoints that will hardly be called as meant: forbidden addresses, port 0, header names that proxies drop, and texts with a
// variable that nothing replaces. Other names are resolved and checked when a connection is made (decision: private addresses).

import type { NetworkSettings } from "@postrider/relay/settings";
import { type EndpointId, readEndpointUrl } from "@postrider/core";
import { defined, maskEndpoint, pathTo } from "@postrider/core/engine";
import { createIsForbiddenHost } from "@postrider/undici";
import type { Recipient, PlacedEndpoint } from "./recipient.js";
import type { ConfigWarning } from "./config-warning.js";

const LOOPBACK = "127.0.0.1";

const DROPPED = "its name has _, and many proxies, such as nginx, drop such headers without a word";

const HYPHEN = "write - in place of _, if the receiver takes that";

/** `${NAME}`, `$NAME`, `$(command)`, `{{ name }}`, `%NAME%`, and `env:NAME` or `file:PATH` behind other text. */
const VARIABLE = /\$\{\w+\}|\$\(\w|(?<![\w$])\$[A-Z_]{2,}\b|\{\{\s*\w|%[A-Z_]{3,}%|[^\w](?:env:[A-Z_]|file:[./])/;

const NOT_REPLACED = "it contains what looks like a variable, which is used as it is written";

const WHOLE_VALUE = 'write "env:NAME" as the whole value, and put the whole value into the variable NAME';

/**
 * Returns a function that makes a warning for each endpoint of a recipient at a forbidden address. Without `vetsAddresses`, the host brings
 * an HTTP port, which may reach any address.
 */
export function createForbiddenEndpoints(
  network: NetworkSettings,
  vetsAddresses: boolean,
): (recipient: Recipient) => readonly ConfigWarning[] {
  const forbids = createIsForbiddenHost(network);
  return ({ destination, endpoints }) =>
    endpoints.flatMap(({ url, path }): readonly ConfigWarning[] => {
      const outcome = readEndpointUrl(url);
      const hosts = outcome.kind === "ok" ? hostsOf(outcome.id) : [];
      if (outcome.kind === "refused" || !hosts.every(forbids)) return [];
      const endpoint = maskEndpoint(outcome.id);
      const warning = vetsAddresses
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
      return [{ ...warning, path: `${path}.url`, ...defined({ destination }), endpoint }];
    });
}

/** The line of a config that allows these addresses in addition to those that it allows. */
export function allowLine(allowed: readonly string[], added: readonly string[]): string {
  const allow = [...new Set([...allowed, ...added])];
  return `if it is meant, write "network": { "allow": ${JSON.stringify(allow).replaceAll('","', '", "')} }`;
}

/** The hosts of an endpoint, of which one has to be allowed. `localhost` always means this machine (RFC 6761, 6.3). */
function hostsOf(endpoint: EndpointId): readonly string[] {
  const { hostname } = new URL(endpoint);
  return /^(?:.+\.)?localhost\.?$/.test(hostname) ? [LOOPBACK, "[::1]"] : [hostname];
}

function rangesFor(hosts: readonly string[]): readonly string[] {
  return hosts.flatMap((host) => (host === LOOPBACK ? ["127.0.0.0/8", "::1"] : [host.replace(/^\[(.*)\]$/, "$1")]));
}

/** The warnings of all endpoints of a destination or a hook. */
export function unusualEndpoints({ destination, endpoints }: Recipient): readonly ConfigWarning[] {
  return endpoints
    .flatMap((endpoint) => [...portZero(endpoint), ...underscores(endpoint)])
    .map((warning) => ({ ...warning, ...defined({ destination }) }));
}

function portZero({ url, path }: PlacedEndpoint): readonly ConfigWarning[] {
  const outcome = readEndpointUrl(url);
  if (outcome.kind === "refused" || new URL(outcome.id).port !== "0") return [];
  const endpoint = maskEndpoint(outcome.id);
  const effect = "no server has port 0, so no connection can be made";
  return [
    { code: "unusual-endpoint", path: `${path}.url`, effect, change: "write the port of the receiver", endpoint },
  ];
}

function underscores({ headers, path }: PlacedEndpoint): readonly ConfigWarning[] {
  return headers.flatMap(([name]) =>
    name.includes("_")
      ? [{ code: "unusual-header" as const, path: pathTo(`${path}.headers`, name), effect: DROPPED, change: HYPHEN }]
      : [],
  );
}

/** A warning for each text that looks like a variable of a shell or a template. Only a whole text can be a reference (`env:NAME`). */
export function unexpandedVariables({ destination, path, endpoints, secrets }: Recipient): readonly ConfigWarning[] {
  const texts = [
    ...endpoints.flatMap(textsOf),
    ...secrets.map((secret) => ({ at: `${path}.sharedSecret`, text: secret.reveal() })),
  ];
  return texts.flatMap(({ at, text }) =>
    VARIABLE.test(text)
      ? [
          {
            code: "unexpanded-variable",
            path: at,
            effect: NOT_REPLACED,
            change: WHOLE_VALUE,
            ...defined({ destination }),
          },
        ]
      : [],
  );
}

function textsOf({ url, headers, path }: PlacedEndpoint): readonly { readonly at: string; readonly text: string }[] {
  return [
    { at: `${path}.url`, text: url },
    ...headers.map(([name, value]) => ({
      at: pathTo(`${path}.headers`, name),
      text: typeof value === "string" ? value : value.reveal(),
    })),
  ];
}
