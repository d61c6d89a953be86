// The parts of a relay that polls and maintenance may touch, for each of their steps. A function takes the interface of
// which it uses all members (decision: contexts).

import type { Clock } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { Duty } from "../state/duty.js";
import type { Lanes } from "../lanes/lanes.js";
import type { OperatorPauses, SettingsInForce } from "../settings-in-force.js";
import type { WatchedClock } from "../fleet/clock.js";
import type { Storage } from "../commits/storage.js";

/** Needed to end deliveries. */
export interface EndContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly emit: EmitEvent;
}

/** Needed to sweep finished deliveries, and to bring forward one slice of deliveries. */
export interface SliceOfStoreContext {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly settings: SettingsInForce;
}

/** Needed to bring forward the deliveries of lanes. */
export interface PullInContext extends EndContext, SliceOfStoreContext {
  readonly lanes: Lanes;
}

/** Needed for all maintenance. */
export interface MaintenanceContext extends PullInContext {
  readonly clock: WatchedClock;
  readonly duty: Pick<Duty, "isMine">;
}

/** Needed for polls, each followed by maintenance. */
export interface PollContext extends MaintenanceContext {
  readonly pauses: Pick<OperatorPauses, "ask">;
  /** Wakes the dispatcher: there may be something to deliver. */
  readonly wake: () => void;
}
