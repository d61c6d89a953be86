// Finds the warnings of a valid config. A server starts in spite of them. Names are not resolved here.

import type { Config, ServerSettings } from "@postrider/relay/settings";
import type { Destination } from "@postrider/core";
import { defined, mapInSteps, runSteps, type Steps, unusualNumbers } from "@postrider/core/engine";
import { type Recipient, recipientOfDestination, recipientOfHook } from "./recipient.js";
import type { ConfigWarning } from "./config-warning.js";
import { createForbiddenEndpoints, unexpandedVariables, unusualEndpoints } from "./endpoint-warnings.js";
import { nameStore } from "./own-secrets.js";
import {
  pathsOfKeys,
  sameSecrets,
  sameTokens,
  untidySecrets,
  untidyTokens,
  untidyWriteKey,
  weakSecrets,
  weakTokens,
} from "./secret-warnings.js";

/** The range of all IPv4 addresses that are mapped into IPv6. */
const MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:.+\/96$/i;

/** All warnings. */
export function configWarnings(config: Config): readonly ConfigWarning[] {
  return runSteps(configWarningsInSteps(config));
}

/**
 * Like `configWarnings`, in steps of one source or destination. `vetsAddresses` is false if the host brings an HTTP port.
 */
export function* configWarningsInSteps(config: Config, vetsAddresses = true): Steps<readonly ConfigWarning[]> {
  const { workspace, server } = config;
  const keys = yield* pathsOfKeys(workspace.sources);
  const { apiToken, metricsToken, viewerToken } = server;
  const credentials = { ...defined({ apiToken, metricsToken, viewerToken }), keys };
  const forbiddenEndpoints = createForbiddenEndpoints(server.network, vetsAddresses);
  const warningsOf = (recipient: Recipient): readonly ConfigWarning[] => [
    ...weakSecrets(recipient),
    ...sameSecrets(recipient, credentials),
    ...unsigned(recipient),
    ...unexpandedVariables(recipient),
    ...untidySecrets(recipient),
    ...unusualEndpoints(recipient),
  ];
  const untidyKeys = (yield* mapInSteps(workspace.sources, untidyWriteKey)).flat();
  const destinationWarnings = yield* mapInSteps(workspace.destinations, (destination, index) => {
    const recipient = recipientOfDestination(destination, index);
    return {
      forbidden: forbiddenEndpoints(recipient),
      others: [...unconnected(destination, recipient.path), ...warningsOf(recipient)],
    };
  });
  const hooks = (workspace.notify ?? []).map(recipientOfHook);
  return [
    ...noSources(config),
    ...unconnectedSources(config),
    ...destinationWarnings.flatMap(({ forbidden }) => forbidden),
    ...hooks.flatMap(forbiddenEndpoints),
    ...destinationWarnings.flatMap(({ others }) => others),
    ...hooks.flatMap(warningsOf),
    ...unusualNumbers(workspace).map((number) => ({ code: "unusual-number" as const, ...number })),
    ...untidyKeys,
    ...weakTokens(server),
    ...untidyTokens(server),
    ...sameTokens(server, keys),
    ...wideRanges(server),
  ];
}

/** An empty config is mostly a mistake: another file was meant. Where the store owns the settings, a file has none. */
function noSources({ workspace, server }: Config): readonly ConfigWarning[] {
  if (workspace.sources.length > 0 || server.settings === "store") return [];
  const effect = `there is none, so all calls are refused, and serve opens the store ${nameStore(server.store)}`;
  const change = 'add "sources": [{ "id": "website", "writeKey": "env:WRITE_KEY" }]';
  return [{ code: "no-sources", path: "sources", effect, change }];
}

function unconnectedSources({ workspace: { sources, destinations } }: Config): readonly ConfigWarning[] {
  const connected = new Set(destinations.flatMap((destination) => destination.sources.map(({ source }) => source)));
  return sources.flatMap(({ id }, index) => {
    if (connected.has(id)) return [];
    const effect = `calls of ${id} are accepted and delivered nowhere`;
    const change = `add ${JSON.stringify(id)} to the "sources" of a destination`;
    return [{ code: "unconnected-source", path: `sources[${String(index)}]`, effect, change }];
  });
}

function unconnected({ id, sources }: Destination, path: string): readonly ConfigWarning[] {
  if (sources.length > 0) return [];
  const effect = `no source is connected, so ${id} gets no calls`;
  const change = "add the id of a source to the list";
  return [{ code: "unconnected-destination", path: `${path}.sources`, effect, change, destination: id }];
}

/** Without a secret, core sends no header of Standard Webhooks. */
function unsigned({ destination, path, secrets, standardWebhooks }: Recipient): readonly ConfigWarning[] {
  if (!standardWebhooks || secrets.length > 0) return [];
  const effect = "there is no sharedSecret to sign with, so none of the headers of Standard Webhooks is sent";
  const change = `add "sharedSecret": "env:NAME" to the ${destination === undefined ? "hook" : "destination"}, or remove standardWebhooks`;
  return [{ code: "unsigned-webhook", path: `${path}.standardWebhooks`, effect, change, ...defined({ destination }) }];
}

/** A warning for each range of `network.allow` or `trustedProxies` that has every address, so that the setting protects nothing. */
function wideRanges({ network, trustedProxies = [] }: ServerSettings): readonly ConfigWarning[] {
  return [
    ...network.allow.flatMap((range, index) =>
      rangeWarning(range, {
        path: `network.allow[${String(index)}]`,
        effect: "so deliveries may also reach this machine and private networks",
        change: "name only the ranges of the receivers, such as 10.0.0.0/8",
      }),
    ),
    ...trustedProxies.flatMap((range, index) =>
      rangeWarning(range, {
        path: `trustedProxies[${String(index)}]`,
        effect: "so every caller can give any address as its address",
        change: "name only the addresses of the proxies",
      }),
    ),
  ];
}

function rangeWarning(
  range: string,
  { path, effect, change }: Pick<ConfigWarning, "path" | "effect" | "change">,
): readonly ConfigWarning[] {
  const family = familyOf(range);
  if (family === undefined) return [];
  return [{ code: "every-address", path, effect: `it has every ${family} address, ${effect}`, change }];
}

/** The family of which the range has every address; undefined if there is none. */
function familyOf(range: string): "IPv4" | "IPv6" | undefined {
  if (MAPPED.test(range)) return "IPv4";
  if (!range.endsWith("/0")) return undefined;
  return range.includes(":") ? "IPv6" : "IPv4";
}
