// Makes leases, and knows when a lease ends: after its length, counted from before the store was asked, by the monotonic clock or by
// the wall clock of this machine, whichever is earlier. The wall clock may be set back, and the monotonic one stands still while the
// machine sleeps: either alone might outlast the lease that the store knows (decisions: leases, time of the store).

import {
  type EpochMs,
  epochMs,
  type Lease,
  type LeaseToken,
  type MonoMs,
  plusMs,
  leaseToken,
  type ProcessId,
  type Random,
} from "@postrider/core";
import type { StoreClock } from "../fleet/clock.js";
import { TOKEN_BYTES } from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../settings-in-force.js";

export interface HeldLease {
  readonly token: LeaseToken;
  /** Its end by the wall clock of this machine, as that clock stood when the store was asked. */
  readonly until: EpochMs;
  /** Its end by the monotonic clock. */
  readonly endsAt: MonoMs;
}

/** A reading of all clocks. */
export interface Instant {
  readonly wall: EpochMs;
  readonly machine: EpochMs;
  readonly monotonic: MonoMs;
}

export function instantOf(clock: Pick<StoreClock, "wall" | "machineWall" | "monotonic">): Instant {
  return { wall: clock.wall(), machine: clock.machineWall(), monotonic: clock.monotonic() };
}

/** A lease that was requested from the store at this instant. */
export function heldLease({ token, leaseMs }: Lease, { machine, monotonic }: Instant): HeldLease {
  return { token, until: plusMs(machine, leaseMs), endsAt: plusMs(monotonic, leaseMs) };
}

/** The end of a lease, by the wall clock as it stands now. */
export function leaseEnd({ until, endsAt }: HeldLease, { wall, machine, monotonic }: Instant): EpochMs {
  return epochMs(wall + Math.min(until - machine, endsAt - monotonic));
}

/** A new lease for each commit and each claim. */
export type NewLease = () => Lease;

interface NewLeaseOptions {
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
