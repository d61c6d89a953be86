// The token of a claim begins with the id of the process that holds it, so that a store knows whose claim was not settled in
// time (decision: why twice). A holder of long work, such as a sync or a replay job, renews its lease in the stored record.

import { type LeaseToken, type ProcessId, processId, type EpochMs, epochMs } from "../ids.js";

const NEVER = epochMs(0);

/** The validity of a claim in milliseconds, and the token that proves it. */
export interface Lease {
  readonly token: LeaseToken;
  readonly leaseMs: number;
}

/** The characters of the id of a process, with which each token begins. */
export const PROCESS_ID_LENGTH = 16;

/** The process that holds the lease of a token. Of a shorter token it is the whole token. */
export function holderOf(token: LeaseToken): ProcessId {
  return processId(token.slice(0, PROCESS_ID_LENGTH));
}

/** The process that carries out long work, and the last renewal of its lease. */
export interface LeaseHolder {
  /** A random text: of a process for replay jobs, and new each time a process begins or resumes a sync. */
  readonly owner: string;
  /** 0 if the owner gave the work up. */
  readonly aliveAt: EpochMs;
}

/** True if the owner renewed its lease in time. False if the clock was set back by more than the lease. */
export function isLeaseValid({ aliveAt }: LeaseHolder, leaseMs: number, now: EpochMs): boolean {
  return Math.abs(now - aliveAt) <= leaseMs;
}

/** Gives up the lease of the owner, so that any process may carry on at once. */
export function withoutLease<Holder extends LeaseHolder>(holder: Holder): Holder {
  return { ...holder, aliveAt: NEVER };
}
