// Finds the warnings of a valid config. A server starts in spite of them. Names are not resolved here.

import type { Config } from "@postrider/codec";
import { mapInSteps, runSteps, type Steps, unusualNumbers } from "@postrider/core/engine";
import type { ConfigWarning } from "./config-warning.js";
import { forbiddenEndpointsInSteps } from "./forbidden-endpoints.js";
import { unexpandedVariables } from "./unexpanded-variables.js";
import { weakSecrets, weakToken } from "./weak-secrets.js";

/** All warnings. */
export function configWarnings(config: Config): readonly ConfigWarning[] {
  return runSteps(configWarningsInSteps(config));
}

/** Like `configWarnings`, in steps of one source or destination. */
export function* configWarningsInSteps(config: Config): Steps<readonly ConfigWarning[]> {
  const { workspace, server } = config;
  const ofDestinations = yield* mapInSteps(workspace.destinations, (destination, index) => {
    const path = `destinations[${String(index)}]`;
    return [
      ...unconnected(destination, path),
      ...weakSecrets(destination, path),
      ...unexpandedVariables(destination, path),
    ];
  });
  return [
    ...noSources(config),
    ...unconnectedSources(config),
    ...(yield* forbiddenEndpointsInSteps(config)),
    ...ofDestinations.flat(),
    ...unusualNumbers(workspace).map((found) => ({ code: "unusual-number" as const, ...found })),
    ...weakToken(server),
  ];
}

/** An empty config is mostly a mistake: another file was meant. */
function noSources({ workspace, server }: Config): readonly ConfigWarning[] {
  if (workspace.sources.length > 0) return [];
  const store = server.store.kind === "memory" ? "memory:" : server.store.path;
  const effect = `there is none, so all calls are refused, and serve opens the store ${store}`;
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

function unconnected(
  { id, sources }: Config["workspace"]["destinations"][number],
  path: string,
): readonly ConfigWarning[] {
  if (sources.length > 0) return [];
  const effect = `no source is connected, so ${id} gets no calls`;
  const change = "add the id of a source to the list";
  return [{ code: "unconnected-destination", path: `${path}.sources`, effect, change, destination: id }];
}
