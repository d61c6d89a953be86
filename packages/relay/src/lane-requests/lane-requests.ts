// The requests of an operator about one lane, and their faults. Types only.

import type { DestinationId, LaneMode, LaneStatus } from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/** Requests about the lane of one destination. Each answers with the state of the lane afterwards. */
export interface LaneRequests {
  /**
   * Pauses a destination of the settings: its deliveries wait, and their windows run on. The store keeps the pause, so that it
   * outlives the process and any change of the settings; other processes on the store obey it from their next poll on. Rounds
   * under way end. Changes nothing if an operator has paused it before.
   */
  pause(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
  /** Ends the pause of an operator. A pause of the settings stays: `pausedBy` of the answer says so. */
  resume(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
  /** Has the next probe of a lane that is held or blocked sent now, if a delivery waits. */
  probe(destination: DestinationId): ResultAsync<LaneStatus, LaneFault>;
}

/**
 * Why a request about a lane was refused. `unknown-destination`: it is not in the settings, and no operator has paused it.
 * `not-supported`: the store keeps no pauses. `not-probed`: the lane is in a mode that sends no probes.
 */
export type LaneFault =
  | { readonly code: "unknown-destination" | "not-supported" }
  | { readonly code: "not-probed"; readonly mode: LaneMode }
  | RelayFault;
