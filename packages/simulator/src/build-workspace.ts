// The settings of a simulation: one source, a destination for each entry of `receivers`, and an endpoint for each
// receiver of the entry.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type Destination,
  type DestinationId,
  destinationId,
  type EndpointId,
  readEndpointUrl,
  type SourceId,
  sourceId,
  type Workspace,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { SimulatedReceiver, SimulationOptions } from "./simulation.js";

export const SIMULATED_SOURCE: SourceId = sourceId("site");

/** The prefix of the URLs of all receivers. */
const RECEIVERS_URL = "https://receiver.example/";

export function buildSimulatedWorkspace({
  receivers,
  policy,
  retention,
  rateLimits = {},
}: SimulationOptions): Workspace {
  return {
    sources: [{ id: SIMULATED_SOURCE, name: "Site", writeKey: createSecret("wk_site") }],
    destinations: Object.entries(receivers).map(([id, entry]) => ({
      ...buildDestination(destinationId(id), [entry].flat()),
      ...defined({ rateLimit: rateLimits[id] }),
    })),
    delivery: { ...DEFAULT_DELIVERY, ...policy },
    retention: { ...DEFAULT_RETENTION, ...retention },
  };
}

function buildDestination(id: DestinationId, receivers: readonly SimulatedReceiver[]): Destination {
  return {
    id,
    name: id,
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source: SIMULATED_SOURCE, mode: "cloud" }],
    endpoints: endpointsOf(id, [...receivers.keys()]),
    secrets: [],
  };
}

/** The endpoints of the receivers of a destination at these places. */
export function endpointsOf(id: DestinationId, places: readonly number[]): Destination["endpoints"] {
  return places.map((place) => ({ url: urlOf(id, place), headers: [] }));
}

/** The receiver of each endpoint. */
export function receiversByEndpoint({ receivers }: SimulationOptions): ReadonlyMap<EndpointId, SimulatedReceiver> {
  const entries = Object.entries(receivers).flatMap(([id, entry]) =>
    [entry]
      .flat()
      .map((receiver, index): readonly [EndpointId, SimulatedReceiver] => [endpointOf(id, index), receiver]),
  );
  return new Map(entries);
}

/** The destination of an endpoint, read from its URL. */
export function laneOfEndpoint(endpoint: EndpointId): DestinationId {
  const name = endpoint.slice(RECEIVERS_URL.length, endpoint.indexOf("/", RECEIVERS_URL.length));
  return destinationId(name.includes("%") ? decodeURIComponent(name) : name);
}

function endpointOf(id: string, index: number): EndpointId {
  const url = readEndpointUrl(urlOf(id, index));
  if (url.kind !== "ok") throw new Error(`no endpoint can be called ${id}`);
  return url.id;
}

function urlOf(id: string, index: number): string {
  return `${RECEIVERS_URL}${encodeURIComponent(id)}/${String(index)}`;
}
