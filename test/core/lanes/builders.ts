// Builds the state of a lane for tests: open, due, nothing in flight, at its initial pace.

import type { DeliveryId, MonoMs } from "@postrider/core";
import { type LaneState, MAX_IN_FLIGHT, type LaneMoment, initialPace } from "@postrider/core/engine";
import { laneId, NOW } from "../builders.js";

export const MONO: MonoMs = mono(1_000);
export const MOMENT: LaneMoment = { wall: NOW, monotonic: MONO, free: MAX_IN_FLIGHT };

export function mono(ms: number): MonoMs {
  return ms as MonoMs;
}

export function deliveryId(id: string): DeliveryId {
  return id as DeliveryId;
}

export function lane(changes: Partial<LaneState> = {}): LaneState {
  return {
    lane: laneId("crm"),
    isOpen: true,
    deliveries: 1_000,
    bytes: 0,
    inFlight: 0,
    running: 0,
    isClaiming: false,
    nextDueAt: NOW,
    pace: initialPace(0),
    rateLimit: undefined,
    tokens: undefined,
    ...changes,
  };
}
