// A lease: the token of a claim, and how long the claim is valid. Each store decides how it stores a lease. The token begins with the
// id of the process that holds it, so that a store knows whose claim was not settled in time (decision: why twice).

import { type LeaseToken, type ProcessId, processId } from "../ids.js";

/** How long a claim is valid, in milliseconds, and the token that proves it. */
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
