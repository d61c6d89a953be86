// The state of destinations that a sync depends on: whether a destination is on, and whether its lane may get more
// deliveries.

import type { DestinationId } from "@postrider/core";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { SyncBounds } from "./audiences.js";

export interface SyncDestinations {
  /** Whether changes are stored for the destination. */
  readonly isOn: (destination: DestinationId) => boolean;
  /** Whether the lane of the destination may get more deliveries of a sync. */
  readonly hasRoom: (destination: DestinationId) => boolean;
}

export interface SyncDestinationsOptions {
  readonly settings: SettingsInForce;
  readonly lanes: Lanes;
  readonly bounds: SyncBounds;
}

export function createSyncDestinations({ settings, lanes, bounds }: SyncDestinationsOptions): SyncDestinations {
  return {
    isOn: (destination) => settings.isOn(destination),
    hasRoom: (destination) => lanes.lane(destination).deliveries < bounds.laneDeliveries,
  };
}
