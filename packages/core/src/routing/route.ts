// Decides which destinations get a call: there is one unit for each destination connected to the call's source; a unit becomes
// a delivery or is filtered (spec, client library §2.3 and §2.4; decision: integrations). Decided once, when the call is
// accepted; later changes of the settings do not apply.

import type { JsonObject } from "../call/call.js";
import type { DestinationId, EpochMs, SourceId } from "../ids.js";
import type { Destination } from "../settings/workspace.js";
import { isAllowedByIntegrations } from "./integration-decides.js";

/** The reason for which a unit is filtered; `historical`: the call is too old for the destination (spec, client library §2.4). */
export type FilterReason = "integrations" | "destination-off" | "historical" | "no-destination";

/** The units of a call: those to deliver, and those that are filtered. */
interface Route {
  readonly deliver: readonly DestinationId[];
  readonly filtered: readonly FilteredUnit[];
}

/** A unit without a delivery. `destination` is null if no destination is connected to the source. */
export interface FilteredUnit {
  readonly destination: DestinationId | null;
  readonly reason: FilterReason;
}

/** The part of a call that routing needs. */
export interface RoutedCall {
  readonly source: SourceId;
  readonly integrations?: JsonObject;
  /** The integrations of the call's batch; the call's own keys have precedence. */
  readonly sharedIntegrations?: JsonObject;
  /** The time of the call, corrected by the clock skew. */
  readonly timestamp: EpochMs;
}

/** Routes a call to the destinations in force, in settings order. `now` is when the call was received. */
export function routeCall(
  call: RoutedCall,
  destinations: readonly Destination[],
  historicalAfterMs: number,
  now: EpochMs,
): Route {
  const connected = destinations.filter((destination) => isConnected(destination, call.source));
  if (connected.length === 0) return { deliver: [], filtered: [{ destination: null, reason: "no-destination" }] };

  const isHistorical = now - call.timestamp > historicalAfterMs;
  const deliver: DestinationId[] = [];
  const filtered: FilteredUnit[] = [];
  for (const destination of connected) {
    const reason = filterReason(destination, call, isHistorical);
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
  isHistorical: boolean,
): FilterReason | undefined {
  if (!isAllowedByIntegrations(integrations, destination.name, sharedIntegrations)) return "integrations";
  if (!destination.enabled) return "destination-off";
  if (isHistorical && !destination.acceptsHistorical) return "historical";
  return undefined;
}
