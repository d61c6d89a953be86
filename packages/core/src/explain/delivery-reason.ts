// The reasons for the state of a delivery: of its end, or of its wait, and the facts from which they are derived. Data only; explain.ts
// decides which of them apply.

import type { AttemptRecord, DeliveryRecord } from "../delivery/delivery.js";
import type { EndpointId, EpochMs } from "../ids.js";
import type { EndpointHold, LaneBackoff, LaneMode, PausedBy, LaneStatus } from "./lane-status.js";
import type { Destination, Workspace } from "../settings/workspace.js";

/** The reason for the state of a delivery. Instants in milliseconds since 1970. */
export type DeliveryReason =
  /** An endpoint took it. `attempt` is the one that did; absent if its record is gone. */
  | { readonly kind: "delivered"; readonly attempt?: AttemptRecord }
  /**
   * dead(`expired`). `attempt` is the last that failed, `others` the latest of each other endpoint. `isCutShort`: no attempt was made at
   * the end of the window, since the lane did not send then, or the schedule of the host gave up; `closedNow`: the reason for which the lane
   * does not send now, which may be the cause.
   */
  | {
      readonly kind: "expired";
      readonly attempt?: AttemptRecord;
      readonly others: readonly AttemptRecord[];
      readonly windowEndsAt?: EpochMs;
      readonly isCutShort: boolean;
      readonly closedNow?: LaneClosure;
    }
  /**
   * dead(`refused`). The last refusal of each endpoint. `isFinal`: each has refused it for good; otherwise it was refused until its
   * retry window ended, or the schedule of the host gave up.
   */
  | { readonly kind: "refused"; readonly attempts: readonly AttemptRecord[]; readonly isFinal: boolean }
  /** dead(`refused`), since our own address policy refused every endpoint for one retry window. */
  | { readonly kind: "never-allowed" }
  /** dead(`lane-full`). `closedNow`: the reason for which the lane does not send now, which may be the cause. */
  | { readonly kind: "lane-full"; readonly closedNow?: LaneClosure }
  | { readonly kind: "purged" }
  | { readonly kind: "destination-removed" }
  /** Its destination is not in the settings. It dies at `endsAt`. */
  | { readonly kind: "not-in-settings"; readonly endsAt: EpochMs }
  | { readonly kind: "off" }
  | { readonly kind: "paused"; readonly by: readonly PausedBy[] }
  | { readonly kind: "blocked"; readonly backoff: LaneBackoff }
  | { readonly kind: "held" | "refusing"; readonly backoff: LaneBackoff }
  /** Each endpoint that has not refused it for good has asked for a pause. The first of these pauses ends at `until`. */
  | { readonly kind: "endpoint-holds"; readonly holds: readonly EndpointHold[]; readonly until: EpochMs }
  /**
   * Its last round failed, with `attempt`; it is due again at `dueAt`. `others`: the latest attempt of each other endpoint.
   * `leftOut`: the endpoints that have refused it for good. `holds`: the endpoints that asked for a pause, while another may be
   * sent to.
   */
  | {
      readonly kind: "backoff";
      readonly attempt: AttemptRecord;
      readonly others: readonly AttemptRecord[];
      readonly leftOut: readonly EndpointId[];
      readonly holds: readonly EndpointHold[];
      readonly dueAt: EpochMs;
    }
  /** It is due at `dueAt`, without a failed round: after a local fault, or spread after a restart. */
  | { readonly kind: "not-due"; readonly dueAt: EpochMs }
  | { readonly kind: "rate-limit"; readonly nextAt: EpochMs }
  /** It is due, but its lane has as many in flight as it may. */
  | { readonly kind: "lane-busy"; readonly deliveries: number; readonly limit: number }
  /** It is due, and nothing known is in its way. */
  | { readonly kind: "due" }
  /** A process has claimed it until `leaseUntil`: its round is under way, or starts soon. */
  | { readonly kind: "in-flight"; readonly leaseUntil: EpochMs }
  /** The process that had claimed it has not settled it in time; it can be claimed again. */
  | { readonly kind: "lease-ended"; readonly leaseUntil: EpochMs };

/** The reason for which a lane does not send. */
export interface LaneClosure {
  readonly mode: Exclude<LaneMode, "open">;
  readonly pausedBy: readonly PausedBy[];
}

/** The facts that give the reasons for the state of a delivery. */
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
