// The public interface of a relay for audiences and computed traits: keeps their definitions, and tells destinations about
// users who entered, left or changed (spec, webhook destination §1; decision: audiences).

import type { AudienceDefinition, AudienceRecord, DestinationId, Member, SyncReport } from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/**
 * `empty-name`: the name has no letter and no digit. `name-too-long`: over 200 characters. `key-taken`: another audience has
 * this key, or it is the name of a field of messages. `not-supported`: the relay was made without an audience store.
 * `unavailable`: a repeat does no harm, but the audience may exist already.
 */
export type AudienceFault =
  | { readonly code: "empty-name" | "name-too-long" | "unknown-audience" | "not-supported" | RelayFault["code"] }
  | { readonly code: "key-taken"; readonly key: string }
  | { readonly code: "unknown-destination"; readonly destination: DestinationId };

/**
 * `members-failed`: the iterable threw. `bad-member`: item number `index`, from 0, is not a member. `would-remove`: more than
 * half of an audience of 20 or more would leave; sync again with that number as `confirmRemove`. After these three faults
 * nothing was sent. `sync-running`: another sync is under way, or another process has taken this one over. `stopped` and
 * `unavailable`: a sync that was collecting its members is lost, and may be started again; one that was sending continues
 * when a relay runs.
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

/** Members in any order, repeats allowed: of several values for one user the last counts. A string is a user id. */
export type Members = Iterable<Member | string> | AsyncIterable<Member | string>;

/** The progress of a sync. If `total` is absent, it is not known. Once the phase is `sending`, the members are durable. */
export interface SyncProgress {
  readonly phase: "collecting" | "merging" | "comparing" | "sending";
  /**
   * How many members have been received, sorted, compared with the previous sync, or compared with what destinations know:
   * it depends on the phase.
   */
  readonly done: number;
  readonly total?: number;
}

export interface SyncOptions {
  /** Called at intervals. What it throws has no effect. */
  readonly onProgress?: (progress: SyncProgress) => void;
  /** How many members may leave, if that has to be confirmed: exactly the number `departed` of `would-remove`. */
  readonly confirmRemove?: number;
}

/** The bounds of a sync: what it holds at once, and how far it runs ahead of deliveries. Change them if memory is scarce. */
export interface SyncBounds {
  /** Members sorted at once: a sort blocks the thread. */
  readonly chunkMembers: number;
  /** Sorted chunks held until they become a run in the store. */
  readonly runChunks: number;
  /** Members appended to a set in one commit: other writes wait for it. */
  readonly appendMembers: number;
  /** Runs merged at once, at least two; one page of each is in memory. */
  readonly mergeRuns: number;
  /** Changes that are stored for a destination before its progress is recorded. */
  readonly stepChanges: number;
  /** While a destination's lane has this many deliveries, a sync adds no more for it. */
  readonly laneDeliveries: number;
}

/** Without an audience store nothing is found. */
export interface Audiences {
  /** Creates an audience. Its key is fixed from then on. */
  createAudience(definition: AudienceDefinition): ResultAsync<AudienceRecord, AudienceFault>;
  /**
   * Sets the destinations of the audience. The next sync sends all members to a new destination; a removed one is sent nothing
   * more.
   */
  setAudienceDestinations(
    key: string,
    destinations: readonly DestinationId[],
  ): ResultAsync<AudienceRecord, AudienceFault>;
  /** All audiences, in the order of their keys. */
  audiences(): ResultAsync<readonly AudienceRecord[], RelayFault>;
  audience(key: string): ResultAsync<AudienceRecord | undefined, RelayFault>;
  /**
   * Replaces all members of the audience by these, and sends each enabled destination its changes. Resolves once all
   * changes are stored as deliveries; it waits while a lane has no room for them.
   */
  syncAudience(key: string, members: Members, options?: SyncOptions): ResultAsync<SyncReport, SyncFault>;
}
