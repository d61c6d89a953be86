// The public shape of what a relay does for audiences and computed traits: keep what they are, and tell destinations whose
// membership has changed (spec, webhook destination §1; decision: audiences).

import type { AudienceDefinition, AudienceRecord, DestinationId, Member, SyncReport } from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/**
 * `empty-name`: it holds no letter and no digit. `name-too-long`: over 200 characters. `key-taken`: another audience has
 * this key, or messages need it for themselves. `not-supported`: the relay was made without an audience store.
 * `unavailable`: asking again does no harm, but the audience may be there already.
 */
export type AudienceFault =
  | { readonly code: "empty-name" | "name-too-long" | "unknown-audience" | "not-supported" | RelayFault["code"] }
  | { readonly code: "key-taken"; readonly key: string }
  | { readonly code: "unknown-destination"; readonly destination: DestinationId };

/**
 * `sync-running`: the sync before still is under way, here or in another process. `members-failed`: the iterable threw.
 * `bad-member`: it gave something that is none, as number `index`, from 0. `would-remove`: more than half of an audience of 20
 * or more would leave; sync again with that number as `confirmRemove`. After these four nothing was sent. `stopped` and
 * `unavailable`: a sync that was collecting its members is lost, and may be begun anew; one that was sending goes on when
 * a relay runs.
 */
export type SyncFault =
  | { readonly code: "unknown-audience" | "sync-running" | "members-failed" | "not-supported" | RelayFault["code"] }
  | { readonly code: "bad-member"; readonly index: number; readonly expected: string }
  | {
      readonly code: "would-remove";
      /** How many members there would be, how many of them are new, and how many would leave. */
      readonly members: number;
      readonly entered: number;
      readonly departed: number;
    };

/** Members in any order, repeats allowed: of several values for one user the last counts. A text is a user id. */
export type Members = Iterable<Member | string> | AsyncIterable<Member | string>;

/** How far a sync is. Without a `total`, nobody knows it. Once it is `sending`, its members are safe. */
export interface SyncProgress {
  readonly phase: "collecting" | "merging" | "comparing" | "sending";
  /** Members that came in, were put in order, were compared with the sync before, with what destinations know. */
  readonly done: number;
  readonly total?: number;
}

export interface SyncOptions {
  /** Called now and then. What it throws harms nobody. */
  readonly onProgress?: (progress: SyncProgress) => void;
  /** How many members may leave, where they are so many that it has to be confirmed: exactly the number that `would-remove` said. */
  readonly confirmRemove?: number;
}

/** What a sync may hold at once, and how far it may run ahead. Worth changing where memory is scarce. */
export interface SyncBounds {
  /** Members sorted at once: a sort holds the thread. */
  readonly chunkMembers: number;
  /** Sorted chunks held until they become a run in the store. */
  readonly runChunks: number;
  /** Members appended to a set in one commit: others wait behind it. */
  readonly appendMembers: number;
  /** Runs merged at once, at least two; of each a page is held. */
  readonly mergeRuns: number;
  /** Changes that a destination is told before it is kept how far it has heard. */
  readonly stepChanges: number;
  /** Deliveries in the lane of a destination from which on a sync waits before it tells it more. */
  readonly laneDeliveries: number;
}

/** Without an audience store there is nothing to find. */
export interface Audiences {
  /** Keeps a new audience. Its key is fixed from then on. */
  createAudience(definition: AudienceDefinition): ResultAsync<AudienceRecord, AudienceFault>;
  /** Whom it tells from the next sync on. One that is new to it hears of all members then; one that leaves hears no more. */
  setAudienceDestinations(
    key: string,
    destinations: readonly DestinationId[],
  ): ResultAsync<AudienceRecord, AudienceFault>;
  /** All of them, in the order of their keys. */
  audiences(): ResultAsync<readonly AudienceRecord[], RelayFault>;
  audience(key: string): ResultAsync<AudienceRecord | undefined, RelayFault>;
  /**
   * Takes these members for all that there are, and tells every destination that is on what has changed for it. Resolves
   * once all changes are stored as deliveries, which takes as long as its lanes need to have room for them.
   */
  syncAudience(key: string, members: Members, options?: SyncOptions): ResultAsync<SyncReport, SyncFault>;
}
