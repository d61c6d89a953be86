// Makes leases: each has a token that begins with the id of the process, and the length that the settings in force give.

import { type Lease, leaseToken, type ProcessId, type Random } from "@postrider/core";
import { TOKEN_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../state/settings-in-force.js";

/** A new lease for each commit and each claim. */
export type NewLease = () => Lease;

export interface NewLeaseOptions {
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly process: ProcessId;
}

export function createNewLease({ random, settings, process }: NewLeaseOptions): NewLease {
  return () => {
    const token = leaseToken(process + randomHex(random, TOKEN_BYTES));
    return { token, leaseMs: settings.workspace().delivery.leaseMs };
  };
}
