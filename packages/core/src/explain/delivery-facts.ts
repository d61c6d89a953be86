// What an explanation is derived from: a delivery, and what of the settings and its lane concerns it. Data only.

import type { DeliveryRecord } from "../delivery/delivery.js";
import type { EpochMs } from "../ids.js";
import type { Destination, Workspace } from "../settings/workspace.js";
import type { LaneStatus } from "./lane-status.js";

export interface DeliveryFacts {
  readonly record: DeliveryRecord;
  readonly settings: Pick<Workspace, "delivery" | "retention">;
  /** Undefined if the settings do not have it. */
  readonly destination: Destination | undefined;
  /** Absent: nothing is known of it. */
  readonly lane?: LaneStatus;
  /** The end of the retry window. Absent if the delivery was never tried. */
  readonly windowEndsAt?: EpochMs;
}
