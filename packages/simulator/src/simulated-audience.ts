// What a simulation is told of audiences, and of requests about their users: plain data that prints and shrinks. All users are
// numbered; `userOf` names them. No caller makes calls about them, so that every message about them is a change or a notice.

import type { Regulation } from "@postrider/core";

/**
 * An audience or a computed trait that is synced again and again. The host replaces all of its members each time, and asks
 * again until the sync is answered, as after a crash.
 */
export interface SimulatedAudience {
  readonly kind: "audience" | "trait";
  /** Which kind of call tells a change. */
  readonly sendsAs: "identify" | "track";
  /** The ids of destinations that have receivers, at least one. */
  readonly destinations: readonly string[];
  /** How many users there are: those with the numbers below this one. Each is a member at first by chance, one in two. */
  readonly users: number;
  /** The share of users that enter or leave from one sync to the next, or have another value, from 0 to 1. */
  readonly turnover: number;
  /** How many syncs there are, one after the other. */
  readonly syncs: number;
  /** When the first begins. */
  readonly firstAtMs: number;
  /** The least time from the beginning of one sync to that of the next. */
  readonly everyMs: number;
  /** The longest time by which the host delays each tenth member that it gives; 0 if left out. */
  readonly givesWithinMs?: number;
}

/** A request about users of audiences, such as to delete them. */
export interface SimulatedDeletion {
  readonly atMs: number;
  readonly regulation: Regulation;
  /** The numbers of the users. */
  readonly users: readonly number[];
}

/** The most users of a simulated audience. */
export const MAX_SIMULATED_USERS = 10_000;

/** The user id of a number. The order of user ids is not that of their numbers. */
export function userOf(number: number): string {
  return `member-${String((number * 7_919) % MAX_SIMULATED_USERS)}`;
}
