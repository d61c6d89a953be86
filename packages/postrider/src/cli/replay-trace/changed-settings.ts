// Decides with which settings an incident is replayed if another config is to be tried: all numbers and switches are those of
// the config. Secrets, header values and the queries of URLs are not in a trace, so endpoints stay those of the trace.

import { type Destination, readEndpointUrl, type Workspace } from "@postrider/core";
import { defined } from "@postrider/core/engine";

/** The settings of the config, with the endpoints and secrets that the trace has in place of real ones. */
export function changedSettings(recorded: Workspace, config: Workspace): Workspace {
  const sources = new Map(recorded.sources.map((source) => [source.id, source]));
  const destinations = new Map(recorded.destinations.map((destination) => [destination.id, destination]));
  return {
    ...config,
    sources: config.sources.map((source) => ({
      ...source,
      ...defined({ writeKey: sources.get(source.id)?.writeKey }),
    })),
    destinations: config.destinations.map((destination) => changed(destination, destinations.get(destination.id))),
  };
}

function changed(destination: Destination, recorded: Destination | undefined): Destination {
  if (recorded === undefined || placesOf(destination) !== placesOf(recorded)) return destination;
  const isSigned = destination.secrets.length > 0 === recorded.secrets.length > 0;
  return { ...destination, endpoints: recorded.endpoints, ...(isSigned ? { secrets: recorded.secrets } : {}) };
}

/** The URLs without their queries. */
function placesOf({ endpoints }: Destination): string {
  const urls = endpoints.map(({ url }) => {
    const read = readEndpointUrl(url);
    return read.kind === "ok" ? read.id.replace(/[?].*$/, "") : url;
  });
  return JSON.stringify(urls);
}
