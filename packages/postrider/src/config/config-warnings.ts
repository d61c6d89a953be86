// Finds the warnings of a valid config: an endpoint with a forbidden address, a source without a destination, no API
// token. A server starts in spite of warnings.

import type { Config } from "@postrider/codec";
import { MAX_PROBLEMS_SHOWN } from "./limits.js";
import { forbiddenEndpoints } from "./forbidden-endpoints.js";

/** A line for each warning, with its path and what to change, up to `MAX_PROBLEMS_SHOWN`. */
export function configWarnings(config: Config): readonly string[] {
  const all = [...warnOfAddresses(config), ...warnOfSources(config), ...warnOfToken(config)];
  const more = all.length - MAX_PROBLEMS_SHOWN;
  return more <= 0 ? all : [...all.slice(0, MAX_PROBLEMS_SHOWN), `warning: ${String(more)} more are not shown`];
}

function warnOfAddresses(config: Config): readonly string[] {
  return forbiddenEndpoints(config).map(
    ({ path, endpoint }) =>
      `warning: ${path}: ${endpoint} is not a public address, and deliveries to it are refused; allow its range in "network.allow"`,
  );
}

function warnOfSources({ workspace: { sources, destinations } }: Config): readonly string[] {
  const connected = new Set(destinations.flatMap((destination) => destination.sources.map(({ source }) => source)));
  return sources.flatMap(({ id }, index) =>
    connected.has(id)
      ? []
      : [
          `warning: sources[${String(index)}]: calls of ${id} are accepted and delivered nowhere; name it in the "sources" of a destination`,
        ],
  );
}

function warnOfToken({ server }: Config): readonly string[] {
  if (server.apiToken !== undefined) return [];
  return ["warning: apiToken: there is none, so the API and the commands that use it are off; set one"];
}
