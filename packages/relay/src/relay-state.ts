// The state of a relay in memory beyond the store, as plain data, so that another relay in the same process can take over
// (decision: traces). Rounds under way are no part of it: the former relay ends them.

import type {
  DeliveryId,
  DestinationId,
  EndpointId,
  EpochMs,
  LaneFailure,
  MonoMs,
  NotificationKind,
} from "@postrider/core";
import type { Notification, Untold, Pace, RateTokens, Standing } from "@postrider/core/engine";

/** The state of a relay in memory beyond the store. */
export interface RelayState {
  readonly lanes: readonly LaneMemory[];
  readonly holds: readonly (readonly [DestinationId, readonly (readonly [EndpointId, MonoMs])[]])[];
  readonly standings: readonly (readonly [DestinationId, readonly (readonly [EndpointId, Standing])[]])[];
  readonly localStreaks: readonly (readonly [DeliveryId, number])[];
  readonly clock: ClockMemory;
  readonly maintenance: MaintenanceMemory;
  /** The lanes that an operator has paused; absent while they are unknown. */
  readonly pauses?: readonly DestinationId[];
  /** Absent if nothing is notified. */
  readonly notify?: NotifyMemory;
}

/** The news that hooks are to get, and the notifications that wait. */
export interface NotifyMemory {
  readonly untold: readonly CountedTrouble<Untold>[];
  /** Each trouble that lasts, with the instant at which it was last counted. */
  readonly lasting: readonly CountedTrouble<MonoMs>[];
  readonly waiting: readonly (readonly [EndpointId, readonly WaitingNotification[]])[];
}

/** The memory of one kind of trouble at one destination, or at none. */
export type CountedTrouble<Known> = readonly [NotificationKind, DestinationId | null, Known];

/** A notification that a hook is to get. */
export interface WaitingNotification {
  readonly notification: Notification;
  /** Notifications that were left out before it, since too many waited. */
  readonly leftOut: number;
  readonly rounds: number;
  /** Absent before the first attempt. */
  readonly firstAttemptAt?: EpochMs;
  readonly retryAt?: MonoMs;
}

/** The memory of one lane. */
export interface LaneMemory {
  readonly lane: DestinationId;
  readonly pace: Pace;
  readonly tokens?: RateTokens;
  readonly deliveries: number;
  readonly bytes: number;
  readonly nextDueAt?: EpochMs;
  readonly carry: number;
  /** Absent if more than probes are sent. */
  readonly heldAt?: MonoMs;
  /** True if its receiver has taken a message. */
  readonly hasTaken: boolean;
  /** The last round without success; absent if one has succeeded since. */
  readonly lastFailure?: LaneFailure;
  readonly deaths: number;
}

/** The memory of a watched clock. */
export interface ClockMemory {
  readonly claimingSince: EpochMs;
  readonly offsetMs: number;
  readonly wasSetBack: boolean;
  /** The difference between the store's clock and the monotonic one; absent if the store has no clock, or was not asked yet. */
  readonly storeOffsetMs?: number;
}

/** The maintenance that is owed, and the instants of the next. An absent instant: none is planned. */
export interface MaintenanceMemory {
  readonly owedPullIn?: "first" | "further" | undefined;
  readonly pullInAgainAt?: number | undefined;
  readonly endAt: number;
  readonly sweepAt: number;
  readonly orphans: readonly DestinationId[];
}
