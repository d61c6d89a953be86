// A lease in force, and when it ends: after its length, counted from before the store was asked, by the monotonic clock or by the
// wall clock of this machine, whichever is earlier. The wall clock may be set back, and the monotonic one stands still while the
// machine sleeps: either alone might outlast the lease that the store knows (decisions: leases, time of the store).

import { type EpochMs, epochMs, type Lease, type LeaseToken, type MonoMs, plusMs } from "@postrider/core";
import type { StoreClock } from "../state/store-clock.js";

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

/** A lease that was requested from the store at the moment `asked`. */
export function heldLease({ token, leaseMs }: Lease, { machine, monotonic }: Instant): HeldLease {
  return { token, until: plusMs(machine, leaseMs), endsAt: plusMs(monotonic, leaseMs) };
}

/** The end of a lease, by the wall clock as it stands now. */
export function leaseEnd({ until, endsAt }: HeldLease, { wall, machine, monotonic }: Instant): EpochMs {
  return epochMs(wall + Math.min(until - machine, endsAt - monotonic));
}
