// The settings in force, indexed by destination and by source. All of them are replaced at once (decision: settings).

import {
  type Destination,
  type DestinationId,
  type EndpointId,
  readEndpointUrl,
  type SourceId,
  type StaticHeader,
  type Workspace,
} from "@postrider/core";
import type { Steps } from "@postrider/core/engine";
import type { OperatorPauses } from "./operator-pauses.js";

/** A destination with the ids of its endpoints, in settings order, and the headers of each. */
export interface DestinationInForce {
  readonly destination: Destination;
  readonly endpoints: readonly EndpointId[];
  readonly headers: ReadonlyMap<EndpointId, readonly StaticHeader[]>;
}

/** Look-ups of a workspace by destination and by source. Made once, never changed. */
export interface SettingsIndex {
  readonly workspace: Workspace;
  readonly destinations: ReadonlyMap<DestinationId, DestinationInForce>;
  readonly connected: ReadonlyMap<SourceId, readonly Destination[]>;
}

export interface SettingsInForce {
  workspace(): Workspace;
  destination(id: DestinationId): DestinationInForce | undefined;
  /** The destinations connected to a source, in settings order: a call of that source can go to these. */
  connectedTo(source: SourceId): readonly Destination[];
  /**
   * Whether new messages are stored for this destination: it is in force and on. If the destination is paused, they
   * wait.
   */
  readonly isOn: (id: DestinationId) => boolean;
  /** Whether deliveries of this destination may go out: it is in force, on, and neither the settings nor an operator pause it. */
  readonly isOpen: (id: DestinationId) => boolean;
  replace(next: SettingsIndex): void;
}

/** Holds the index of a checked workspace. */
export function createSettings(first: SettingsIndex, pauses: Pick<OperatorPauses, "stops">): SettingsInForce {
  let { workspace, destinations, connected } = first;

  return {
    workspace: (): Workspace => workspace,
    destination: (id): DestinationInForce | undefined => destinations.get(id),
    connectedTo: (source): readonly Destination[] => connected.get(source) ?? [],
    isOn: (id): boolean => destinations.get(id)?.destination.enabled === true,
    isOpen: (id): boolean => {
      const destination = destinations.get(id)?.destination;
      return destination !== undefined && destination.enabled && !destination.paused && !pauses.stops(id);
    },
    replace: (next): void => {
      ({ workspace, destinations, connected } = next);
    },
  };
}

/** Builds the index of a checked workspace, in steps of one destination. */
export function* indexSettings(workspace: Workspace): Steps<SettingsIndex> {
  const destinations = new Map<DestinationId, DestinationInForce>();
  const connected = new Map<SourceId, Destination[]>();
  for (const destination of workspace.destinations) {
    destinations.set(destination.id, indexEndpoints(destination));
    connect(destination, connected);
    yield;
  }
  return { workspace, destinations, connected };
}

function connect(destination: Destination, connected: Map<SourceId, Destination[]>): void {
  for (const { source } of destination.sources) {
    const others = connected.get(source);
    if (others === undefined) connected.set(source, [destination]);
    else others.push(destination);
  }
}

function indexEndpoints(destination: Destination): DestinationInForce {
  const headers = new Map<EndpointId, readonly StaticHeader[]>();
  for (const endpoint of destination.endpoints) {
    const url = readEndpointUrl(endpoint.url);
    if (url.kind === "ok") headers.set(url.id, endpoint.headers);
  }
  return { destination, endpoints: [...headers.keys()], headers };
}
