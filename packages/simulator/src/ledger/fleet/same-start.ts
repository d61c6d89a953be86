// Decides whether a recorded attempt is of a request that was seen: by when it started, which several servers know by asking their
// store, and so not to the millisecond.

import type { EpochMs } from "@postrider/core";
import type { KnownFleet } from "./known-fleet.js";
import { CLOCK_ERROR_MS } from "./tolerances.js";

export function isSameStart(fleet: KnownFleet | undefined, sentAt: EpochMs, recordedAt: EpochMs): boolean {
  return Math.abs(sentAt - recordedAt) <= (fleet === undefined ? 0 : CLOCK_ERROR_MS);
}
