// What a relay knows in memory beyond the store, as plain data, so that another relay in the same process can take over
// (decision: traces). Rounds under way are no part of it: the former relay ends them.

import type { DestinationId, Detail, EndpointId, DeliveryId, EpochMs, MonoMs } from "@postrider/core";
import type { Pace, RateTokens } from "@postrider/core/engine";

/** What a relay knows in memory beyond the store. */
export interface RelayState {
  readonly lanes: readonly LaneMemory[];
  readonly holds: readonly (readonly [DestinationId, readonly (readonly [EndpointId, MonoMs])[]])[];
  readonly localStreaks: readonly (readonly [DeliveryId, number])[];
  readonly clock: ClockMemory;
  readonly maintenance: MaintenanceMemory;
  /** The lanes that an operator has paused; absent while they are unknown. */
  readonly pauses?: readonly DestinationId[];
}

/** What is known of one lane. */
export interface LaneMemory {
  readonly lane: DestinationId;
  readonly pace: Pace;
  readonly tokens?: RateTokens;
  readonly deliveries: number;
  readonly bytes: number;
  readonly nextDueAt?: EpochMs;
  readonly carry: number;
  /** Absent if more than probes are sent, and in what was remembered before this was known. */
  readonly heldAt?: MonoMs;
  readonly heldBy?: Detail;
}

/** What a watched clock has seen. */
export interface ClockMemory {
  readonly claimingSince: EpochMs;
  readonly offsetMs: number;
  readonly wasSetBack: boolean;
}

/** Which maintenance is owed and when the next is due. An absent instant: none is planned. */
export interface MaintenanceMemory {
  readonly owedPullIn?: "first" | "further" | undefined;
  readonly pullInAgainAt?: number | undefined;
  readonly endAt: number;
  readonly sweepAt: number;
  readonly orphans: readonly DestinationId[];
}
