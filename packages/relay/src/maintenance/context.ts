// The parts of a relay that polls and maintenance may touch, for each of their steps. A function takes the interface of which
// it uses all (decision: contexts).

import type { Clock } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { Lanes } from "../state/lanes.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { WatchedClock } from "../state/watched-clock.js";
import type { Storage } from "../storage/storage.js";

/** Deliveries are ended. */
export interface EndContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly emit: EmitEvent;
}

/** Finished deliveries are swept; a slice of deliveries is brought forward. */
export interface SliceOfStoreContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly settings: SettingsInForce;
}

/** Lanes are brought forward. */
export interface PullInContext extends EndContext, SliceOfStoreContext {
  readonly lanes: Lanes;
}

/** All maintenance. */
export interface MaintenanceContext extends PullInContext {
  readonly clock: WatchedClock;
}

/** Polls, each followed by maintenance. */
export interface PollContext extends MaintenanceContext {
  /** How often the store is asked for work that another process stored. */
  readonly pollMs: number;
  /** Wakes the dispatcher: there may be something to deliver. */
  readonly wake: () => void;
}
