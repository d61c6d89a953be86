// How exactly several servers must act as one.

import type { KnownFleet } from "./known-fleet.js";

/** Within this time, each server must act on what another has learnt. */
export const LEARN_MS = 2_000;
/** How long before its end a lease may be taken over: it may count from when it was asked for, and a slow store takes a while. */
export const LEASE_END_MS = 250;
/** By how much a server that asks the store for the time may be wrong about it. */
export const CLOCK_ERROR_MS = 100;
/** By how much a retry window may be off, by true time. */
export const WINDOW_MS = 1_000;
/** How many more open attempts, and rounds a second, all servers may have than one. */
export const OPEN_SHARE = 1.25;
export const RATE_SHARE = 1.05;

/** When all servers must know what one has learnt. A store that ails tells none of them. */
export function knownToAllAt({ unsteadyUntil }: KnownFleet, learntAt: number): number {
  return Math.max(learntAt, unsteadyUntil) + LEARN_MS;
}
