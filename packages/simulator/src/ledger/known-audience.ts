// What the ledger knows of audiences and of requests about their users. Data only.

import type { DeletionId, DestinationId } from "@postrider/core";

/** Members by their user ids, each with its value as JSON text: `true` for a member of an audience. */
export type KnownMembers = ReadonlyMap<string, string>;

export interface KnownAudience {
  readonly key: string;
  readonly kind: "audience" | "trait";
  /** The members that destinations were told of, by stored changes. */
  readonly told: ReadonlyMap<DestinationId, Map<string, string>>;
  /** The members of the sync that its host asks for, until it is answered. */
  pending: KnownMembers | undefined;
  /** The members of the latest sync that was asked for. */
  latest: KnownMembers;
  /** Users who must not be told of before a later sync gives them: a request deleted them. */
  readonly barred: Set<string>;
  /** Users who were in a request while the pending sync ran: what is told of them depends on which came first. */
  readonly touched: Set<string>;
  /** Users who were suppressed: the store may have refused changes about them that the relay takes for told. */
  readonly hidden: Set<string>;
  /** The destinations that were off at some time while the pending sync ran. */
  readonly wereOff: Set<string>;
  /** Changes that were stored. */
  changes: number;
  /** Syncs that were answered. */
  syncs: number;
}

/** What a simulation with audiences records of users. */
export interface KnownUsers {
  readonly audiences: Map<string, KnownAudience>;
  readonly suppressed: Set<string>;
  /** The requests that took effect and are not finished. */
  readonly unfinished: Set<DeletionId>;
  /** The destinations that are off now. */
  off: ReadonlySet<string>;
}

export function createKnownUsers(): KnownUsers {
  return { audiences: new Map(), suppressed: new Set(), unfinished: new Set(), off: new Set() };
}
