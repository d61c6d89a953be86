// What a config that is good may still not do: deliver to an address that is refused, deliver the calls of a source, answer
// the API. Nothing of it keeps a server from starting, so that it is said and not refused.

import type { Config } from "@postrider/codec";
import { MAX_PROBLEMS_TOLD } from "./limits.js";
import { forbiddenEndpoints } from "./forbidden-endpoints.js";

/** A line for each, with its path and what to change, as far as anyone reads. */
export function configWarnings(config: Config): readonly string[] {
  const all = [...warnOfAddresses(config), ...warnOfSources(config), ...warnOfToken(config)];
  const more = all.length - MAX_PROBLEMS_TOLD;
  return more <= 0 ? all : [...all.slice(0, MAX_PROBLEMS_TOLD), `warning: ${String(more)} more are not shown`];
}

function warnOfAddresses(config: Config): readonly string[] {
  return forbiddenEndpoints(config).map(
    ({ path, endpoint }) =>
      `warning: ${path}: ${endpoint} is no public address, and deliveries to it are refused; allow its range in "network.allow"`,
  );
}

function warnOfSources({ workspace: { sources, destinations } }: Config): readonly string[] {
  const connected = new Set(destinations.flatMap((destination) => destination.sources.map(({ source }) => source)));
  return sources.flatMap(({ id }, index) =>
    connected.has(id)
      ? []
      : [
          `warning: sources[${String(index)}]: calls of ${id} are taken and go nowhere; name it in the "sources" of a destination`,
        ],
  );
}

function warnOfToken({ server }: Config): readonly string[] {
  if (server.apiToken !== undefined) return [];
  return ["warning: apiToken: there is none, so that the API and the commands that ask it are off; set one"];
}
