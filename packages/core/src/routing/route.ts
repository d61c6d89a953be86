// Decides where a call goes: one unit for each destination connected to its source, and for each unit whether it
// becomes a delivery or is filtered, and why (spec, client library §2.3 and §2.4; decision: integrations).
// Decided once, when the call is accepted; later changes of connections or names change nothing.

import type { JsonObject } from "../call/call.js";
import type { DestinationId, EpochMs, SourceId } from "../ids.js";
import type { Destination } from "../settings/workspace.js";
import { integrationDecides } from "./integration-decides.js";

export type FilterReason = "integrations" | "destination-off" | "historical" | "no-destination";

export interface Route {
  readonly deliver: readonly DestinationId[];
  readonly filtered: readonly FilteredUnit[];
}

/** A unit that gets no delivery. `destination` is null when the source has no connected destination at all. */
export interface FilteredUnit {
  readonly destination: DestinationId | null;
  readonly reason: FilterReason;
}

/** What routing needs to know of a call. */
export interface RoutedCall {
  readonly source: SourceId;
  readonly integrations?: JsonObject;
  /** What its batch says for all of its calls; the call's own keys win. */
  readonly sharedIntegrations?: JsonObject;
  /** The call's own time, after the correction of clock skew. */
  readonly timestamp: EpochMs;
}

/** Routes a call over all destinations in force. `now` is the time of its receipt. */
export function routeCall(
  call: RoutedCall,
  destinations: readonly Destination[],
  historicalAfterMs: number,
  now: EpochMs,
): Route {
  const connected = destinations.filter((destination) => isConnected(destination, call.source));
  if (connected.length === 0) return { deliver: [], filtered: [{ destination: null, reason: "no-destination" }] };

  const historical = now - call.timestamp > historicalAfterMs;
  const deliver: DestinationId[] = [];
  const filtered: FilteredUnit[] = [];
  for (const destination of connected) {
    const reason = filterReason(destination, call, historical);
    if (reason === undefined) deliver.push(destination.id);
    else filtered.push({ destination: destination.id, reason });
  }
  return { deliver, filtered };
}

function isConnected(destination: Destination, source: SourceId): boolean {
  return destination.sources.some((connection) => connection.source === source);
}

function filterReason(
  destination: Destination,
  { integrations, sharedIntegrations }: RoutedCall,
  historical: boolean,
): FilterReason | undefined {
  if (!integrationDecides(integrations, destination.name, sharedIntegrations)) return "integrations";
  if (!destination.enabled) return "destination-off";
  if (historical && !destination.acceptsHistorical) return "historical";
  return undefined;
}
