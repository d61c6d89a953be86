// The default settings. Where the specification has a value, it is used.

import { DEFAULT_RETRY_POLICY } from "../retry/retry-policy.js";
import type { DeliveryPolicy, Retention } from "./workspace.js";

/** 5 s to answer and 4 h of retries (spec, webhook destination §8); the rest by the decisions: leases, historical. */
export const DEFAULT_DELIVERY: DeliveryPolicy = {
  ...DEFAULT_RETRY_POLICY,
  timeoutMs: 5_000,
  leaseMs: 30_000,
  historicalAfterMs: 86_400_000,
};

/** Delivered deliveries are kept for a day, dead ones for a week. */
export const DEFAULT_RETENTION: Retention = { deliveredHours: 24, deadHours: 168 };

/** The name of a destination for the integrations object of a call, if the settings give it none. */
export const DEFAULT_DESTINATION_NAME = "Webhooks";
