// The parts of a relay that the board may touch, for each of its steps. A function takes the interface of which it uses all
// members (decision: contexts).

import type { Clock } from "@postrider/core";
import type { EmitEvent } from "../relay-event.js";
import type { Duty } from "../state/duty.js";
import type { Endpoints } from "../lanes/endpoints.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { SharedLanes } from "../lanes/shared-lanes.js";
import type { AskBoard } from "../commits/storage.js";

/** Needed to take a probe. */
export interface ProbeContext {
  readonly shared: SharedLanes;
  readonly settings: Pick<SettingsInForce, "workspace">;
}

/** Needed to know what is known of a lane. */
export interface ViewContext {
  readonly shared: SharedLanes;
  readonly endpoints: Pick<Endpoints, "holds" | "adopt">;
}

/** Needed to write the next row of a lane. */
export interface DraftContext extends ProbeContext, ViewContext {}

/** Needed to take over what other processes have written. */
export interface LearnContext extends ViewContext {
  readonly emit: EmitEvent;
}

/** Needed to have rows written. */
export interface WriteContext extends LearnContext {
  readonly askBoard: AskBoard;
  /** Wakes the dispatcher: a lane may send what it could not. */
  readonly wake: () => void;
}

/** Needed to tell and to take all that there is. */
export interface TellContext extends DraftContext, WriteContext {}

/** Needed to keep in step with the other processes. */
export interface KeeperContext extends TellContext {
  readonly clock: Clock;
  readonly duty: Pick<Duty, "hear">;
}
