// The numbers that hold when the settings give none: the spec's where it has one, else ours.

import { DEFAULT_RETRY_POLICY } from "../retry/retry-policy.js";
import type { DeliveryPolicy, Retention } from "./workspace.js";

/** 5 s to answer and 4 h of retries (spec, webhook destination §8); the rest is ours (decisions: leases, historical). */
export const DEFAULT_DELIVERY: DeliveryPolicy = {
  ...DEFAULT_RETRY_POLICY,
  timeoutMs: 5_000,
  leaseMs: 30_000,
  historicalAfterMs: 86_400_000,
};

/** A day for what was delivered, a week for what was not. */
export const DEFAULT_RETENTION: Retention = { deliveredHours: 24, deadHours: 168 };

/** The name by which a call's integrations object addresses a destination that has no name of its own. */
export const DEFAULT_DESTINATION_NAME = "Webhooks";
