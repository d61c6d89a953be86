// The ledger's data about lanes, about the rate at which a process may send to a destination, and about audiences and the
// requests about their users. Data only.

import type { EndpointId, MonoMs, RateLimit, DeletionId, DestinationId } from "@postrider/core";

/** The least number of slots of a lane while none of its rounds has failed. */
const SLOTS_WITHOUT_FAILURES = 32;

export interface KnownLane {
  /** Deliveries under a lease. */
  claimed: number;
  /** The latest time at which the lane may have had no free slot, as far as the ledger can tell. */
  lastFullAt: number;
  /** Once this many deliveries are claimed, the lane may have no free slot. Falls when rounds fail. */
  leastSlots: number;
  /** The processes that send only probes to the lane. */
  readonly heldBy: Set<number>;
  /** The spans in which at least one process sent only probes, in order. The last one may have no end yet. */
  readonly heldSpans: { readonly fromMs: number; untilMs: number }[];
  /** For each process, the share of failures among its latest rounds. */
  readonly failing: Map<number, FailureShare>;
  /** For each process, when the address policy last refused the only endpoint of the lane after a rest. */
  readonly blockedSince: Map<number, MonoMs>;
  /** For each process, what is left of the rate limit of the lane. */
  readonly rates: Map<number, KnownRate>;
  /** The processes that may have spent a part of the rate limit before their first request. */
  readonly unsentBy: Set<number>;
  /** Its endpoints, as the settings have them. */
  endpoints: readonly EndpointId[];
  /** The time at which a process last learnt of other settings of it; -1 if none ever did. */
  changedAt: number;
  /** The times at which each of them took a message, in order. */
  readonly successes: Map<EndpointId, MonoMs[]>;
  /** The replies of an endpoint to a process. The key is `PROCESS URL`. */
  readonly standings: Map<string, KnownStanding>;
  /** The processes that may hold the lane since an endpoint refuses whatever it gets. */
  readonly refusingProcesses: Set<number>;
  /** Since when each process must leave the only receiver alone, which refuses whatever it gets. */
  readonly restsSince: Map<number, MonoMs>;
  /** The open requests of each process. */
  readonly open: Map<number, number>;
}

export interface KnownStanding {
  /** The time at which it refused the first attempt of each message, since it last took one. */
  readonly refusedAt: Map<string, MonoMs>;
  /** The most messages that it has refused between two that it took. */
  longest: number;
}

interface FailureShare {
  /** From 0 to 1, and never below the share that the process counts. */
  readonly share: number;
  /** True if the process may hold the lane because of its failures. */
  readonly mayBeHeld: boolean;
}

export function createKnownLane(): KnownLane {
  return {
    claimed: 0,
    lastFullAt: -1,
    leastSlots: SLOTS_WITHOUT_FAILURES,
    heldBy: new Set(),
    heldSpans: [],
    failing: new Map(),
    blockedSince: new Map(),
    rates: new Map(),
    unsentBy: new Set(),
    endpoints: [],
    changedAt: -1,
    successes: new Map(),
    standings: new Map(),
    refusingProcesses: new Set(),
    restsSince: new Map(),
    open: new Map(),
  };
}

/** The rounds that a process may still start in a lane, as of an instant. */
export interface KnownRate {
  readonly rateLimit: RateLimit;
  readonly atMs: number;
  /** No process has more than this. */
  readonly most: number;
  /** Each process has at least this. */
  readonly least: number;
  /** Until when the process may have been unable to start a round. */
  readonly dryUntilMs: number;
}

/** The claims and the settlements of a delivery that a process must respect before it sends it again. */
export interface KnownRounds {
  /** The process that has claimed the delivery last. */
  claimant: number;
  /** When another process than the one before has claimed it, by the monotonic clock; -1 if none has. */
  takenOverAt: number;
  /** When a settlement last took effect; -1 if none has. */
  settledAt: number;
}

/** `process` has stored the delivery. */
export function createKnownRounds(process: number): KnownRounds {
  return { claimant: process, takenOverAt: -1, settledAt: -1 };
}

/** Members by their user ids, each with its value as JSON text: `true` for a member of an audience. */
export type KnownMembers = ReadonlyMap<string, string>;

export interface KnownAudience {
  readonly key: string;
  readonly kind: "audience" | "trait";
  /** The members that destinations got, by stored changes. */
  readonly membersByDestination: ReadonlyMap<DestinationId, Map<string, string>>;
  /** The members of the sync that its host asks for, until it is answered. */
  pending: KnownMembers | undefined;
  /** The members of the latest sync that was asked for. */
  latest: KnownMembers;
  /** Users without changes until a later sync gives them: a request deleted them. */
  readonly barredUsers: Set<string>;
  /** Users who were in a request while the pending sync ran: their changes depend on which came first. */
  readonly touchedUsers: Set<string>;
  /** Users who were suppressed: the store may have refused changes about them that the relay takes for told. */
  readonly hiddenUsers: Set<string>;
  /** The destinations that were off at some time while the pending sync ran. */
  readonly offDuringSync: Set<string>;
  /** Changes that were stored. */
  changes: number;
  /** Syncs that were answered. */
  syncs: number;
}

/** The records of users in a simulation with audiences. */
export interface KnownUsers {
  readonly audiences: Map<string, KnownAudience>;
  readonly suppressed: Set<string>;
  /** The requests that took effect and are not finished. */
  readonly unfinished: Set<DeletionId>;
  /** The destinations that are off now. */
  offDestinations: ReadonlySet<string>;
}

export function createKnownUsers(): KnownUsers {
  return { audiences: new Map(), suppressed: new Set(), unfinished: new Set(), offDestinations: new Set() };
}
