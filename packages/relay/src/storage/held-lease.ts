// A lease in force, and when it ends: by the wall clock, which other processes use too, or by the monotonic clock, whichever
// is earlier. If only the wall clock counted and it was set back, the lease would last longer here, while another process
// claims the same deliveries (decisions: clocks, leases).

import { type Clock, type EpochMs, epochMs, type Lease, type LeaseToken, type MonoMs, plusMs } from "@postrider/core";

export interface HeldLease {
  readonly token: LeaseToken;
  /** Its end by the wall clock, as that clock stood when the store was asked. */
  readonly until: EpochMs;
  /** Its end by the monotonic clock. */
  readonly endsAt: MonoMs;
}

/** A reading of both clocks. */
export interface Instant {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
}

export function instantOf(clock: Pick<Clock, "wall" | "monotonic">): Instant {
  return { wall: clock.wall(), monotonic: clock.monotonic() };
}

/** A lease that was requested from the store at the moment `asked`. */
export function heldLease({ token, leaseMs }: Lease, asked: Instant): HeldLease {
  return { token, until: plusMs(asked.wall, leaseMs), endsAt: plusMs(asked.monotonic, leaseMs) };
}

/** The end of a lease, by the wall clock as it stands now. */
export function leaseEnd({ until, endsAt }: HeldLease, { wall, monotonic }: Instant): EpochMs {
  return epochMs(Math.min(until, wall + (endsAt - monotonic)));
}
