// A lease that runs, and when it ends: by the wall clock, which other processes go by, or by the monotonic one, whichever
// comes first. A wall clock that is set back would let it run on here while another process claims what it covers
// (decisions: clocks, leases).

import { type Clock, type EpochMs, epochMs, type Lease, type LeaseToken, type MonoMs, plusMs } from "@postrider/core";

export interface HeldLease {
  /** What proves it. */
  readonly token: LeaseToken;
  /** When it ends by the wall clock as it stood when the store was asked. */
  readonly until: EpochMs;
  /** When it ends by the monotonic clock. */
  readonly endsAt: MonoMs;
}

/** A moment by both clocks. */
export interface Instant {
  readonly wall: EpochMs;
  readonly monotonic: MonoMs;
}

export function instantOf(clock: Pick<Clock, "wall" | "monotonic">): Instant {
  return { wall: clock.wall(), monotonic: clock.monotonic() };
}

/** A lease that the store was asked for at this moment. */
export function heldLease({ token, leaseMs }: Lease, asked: Instant): HeldLease {
  return { token, until: plusMs(asked.wall, leaseMs), endsAt: plusMs(asked.monotonic, leaseMs) };
}

/** When it ends, by the wall clock as it stands now. */
export function leaseEnd({ until, endsAt }: HeldLease, { wall, monotonic }: Instant): EpochMs {
  return epochMs(Math.min(until, wall + (endsAt - monotonic)));
}
