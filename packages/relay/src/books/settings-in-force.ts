// The settings in force, laid out for look-ups by destination and by source. All of them are swapped at once (decision: settings).

import {
  type Destination,
  type DestinationId,
  type EndpointId,
  readEndpointUrl,
  type SourceId,
  type StaticHeader,
  type Workspace,
} from "@postrider/core";

/** A destination with its endpoints by identity, in settings order. */
export interface DestinationInForce {
  readonly destination: Destination;
  readonly endpoints: readonly EndpointId[];
  readonly headers: ReadonlyMap<EndpointId, readonly StaticHeader[]>;
}

export interface SettingsInForce {
  workspace(): Workspace;
  destination(id: DestinationId): DestinationInForce | undefined;
  /** The destinations that are connected to a source, in settings order: those that a call of it can go to. */
  connectedTo(source: SourceId): readonly Destination[];
  /** Whether this destination takes new messages: it is in force and on. What a paused one is sent waits for it. */
  readonly isOn: (id: DestinationId) => boolean;
  /** Whether deliveries of this destination may go out: it is in force, on, and not paused. */
  readonly isOpen: (id: DestinationId) => boolean;
  replace(workspace: Workspace): void;
}

/** Holds a workspace that has been checked. */
export function createSettings(first: Workspace): SettingsInForce {
  let workspace = first;
  let destinations = indexDestinations(first);
  let connected = indexConnections(first);

  return {
    workspace: (): Workspace => workspace,
    destination: (id): DestinationInForce | undefined => destinations.get(id),
    connectedTo: (source): readonly Destination[] => connected.get(source) ?? [],
    isOn: (id): boolean => destinations.get(id)?.destination.enabled === true,
    isOpen: (id): boolean => {
      const destination = destinations.get(id)?.destination;
      return destination !== undefined && destination.enabled && !destination.paused;
    },
    replace: (next): void => {
      workspace = next;
      destinations = indexDestinations(next);
      connected = indexConnections(next);
    },
  };
}

function indexDestinations(workspace: Workspace): ReadonlyMap<DestinationId, DestinationInForce> {
  return new Map(workspace.destinations.map((destination) => [destination.id, indexEndpoints(destination)]));
}

function indexConnections({ destinations }: Workspace): ReadonlyMap<SourceId, readonly Destination[]> {
  const bySource = new Map<SourceId, Destination[]>();
  const connections = destinations.flatMap((to) => to.sources.map(({ source }) => [source, to] as const));
  for (const [source, destination] of connections) {
    const connected = bySource.get(source) ?? [];
    connected.push(destination);
    bySource.set(source, connected);
  }
  return bySource;
}

function indexEndpoints(destination: Destination): DestinationInForce {
  const headers = new Map<EndpointId, readonly StaticHeader[]>();
  for (const endpoint of destination.endpoints) {
    const url = readEndpointUrl(endpoint.url);
    if (url.kind === "endpoint") headers.set(url.id, endpoint.headers);
  }
  return { destination, endpoints: [...headers.keys()], headers };
}
