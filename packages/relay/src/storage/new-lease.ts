// Makes leases: each has a token that cannot be guessed, and the length that the settings in force give.

import { type Lease, leaseToken, type Random } from "@postrider/core";
import { TOKEN_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../state/settings-in-force.js";

/** A new lease for each commit and each claim. */
export type NewLease = () => Lease;

export interface NewLeaseOptions {
  readonly random: Random;
  readonly settings: SettingsInForce;
}

export function createNewLease({ random, settings }: NewLeaseOptions): NewLease {
  return () => {
    const token = leaseToken(randomHex(random, TOKEN_BYTES));
    return { token, leaseMs: settings.workspace().delivery.leaseMs };
  };
}
