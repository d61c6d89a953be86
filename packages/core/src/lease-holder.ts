// The process that carries out long work, such as a sync or a replay job, under a lease that it renews. It is a part of stored
// records. Must not know the kind of work.

import { type EpochMs, epochMs } from "./ids.js";

/** Which process carries out long work, and when it last renewed its lease. */
export interface LeaseHolder {
  /** A random text: of a process for replay jobs, and new each time a process begins or resumes a sync. */
  readonly owner: string;
  /** 0 if the owner gave the work up. */
  readonly aliveAt: EpochMs;
}

/** Whether the owner renewed its lease in time. False if the clock was set back by more than the lease. */
export function isLeaseValid({ aliveAt }: LeaseHolder, leaseMs: number, now: EpochMs): boolean {
  return Math.abs(now - aliveAt) <= leaseMs;
}

/** Gives up the lease of the owner, so that any process may carry on at once. */
export function withoutLease<Holder extends LeaseHolder>(holder: Holder): Holder {
  return { ...holder, aliveAt: NEVER };
}

const NEVER = epochMs(0);
