// The public interface of a relay for audiences and computed traits: keeps their definitions, and tells destinations about
// users who entered, left or changed (spec, webhook destination §1; decision: audiences).

import type { AudienceDefinition, AudienceRecord, DestinationId, Member, SyncReport } from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/**
 * `empty-name`: the name has no letter and no digit. `name-too-long`: over 200 characters. `key-taken`: another
 * audience has this key, or the key is the name of a field of messages. `not-supported`: the relay was made without an
 * audience store. `unavailable`: it is not known whether the change was stored. It is safe to call again; if the
 * audience was stored, `createAudience` then answers `key-taken`.
 */
export type AudienceFault =
  | { readonly code: "empty-name" | "name-too-long" | "unknown-audience" | "not-supported" | RelayFault["code"] }
  | { readonly code: "key-taken"; readonly key: string }
  | { readonly code: "unknown-destination"; readonly destination: DestinationId };

/**
 * `members-failed`: the iterable threw. `bad-member`: item number `index`, from 0, is not a member. `would-remove`:
 * more than half of the members of an audience of 20 or more would leave; to allow it, sync again with `confirmRemove`
 * set to `departed`. With each of these three faults nothing was sent. `sync-running`: another sync of the audience is
 * under way, or another process has taken over this sync. `stopped` and `unavailable`: a sync that was collecting its
 * members is lost, and the host may start it again; a sync that was sending is resumed by any relay that runs on the
 * same store.
 */
export type SyncFault =
  | { readonly code: "unknown-audience" | "sync-running" | "members-failed" | "not-supported" | RelayFault["code"] }
  | { readonly code: "bad-member"; readonly index: number; readonly expected: string }
  | {
      readonly code: "would-remove";
      /** The number of members that there would be, of those who are new, and of those who would leave. */
      readonly members: number;
      readonly entered: number;
      readonly departed: number;
    };

/**
 * The members of an audience, in any order. If a user is given several times, the last value counts. A string is a user
 * id.
 */
export type Members = Iterable<Member | string> | AsyncIterable<Member | string>;

/**
 * The progress of a sync. `total` is absent while it is not known. Once the phase is `sending`, the members are
 * durable.
 */
export interface SyncProgress {
  readonly phase: "collecting" | "merging" | "comparing" | "sending";
  /**
   * The number of members that the phase has processed. `collecting`: members received · `merging`: members merged in the
   * current pass · `comparing`: members compared with the previous sync · `sending`: members compared with what a
   * destination knows, summed over the destinations.
   */
  readonly done: number;
  readonly total?: number;
}

/** The options of a sync of an audience. */
export interface SyncOptions {
  /** Called at intervals with the progress. An exception that it throws has no effect. */
  readonly onProgress?: (progress: SyncProgress) => void;
  /**
   * The number of members that the host allows to leave: the `departed` of an earlier `would-remove`. Any other number
   * allows nothing.
   */
  readonly confirmRemove?: number;
}

/**
 * The bounds of a sync: how much it holds in memory at once, and at how many deliveries in a lane it stops adding more.
 * Change them if memory is scarce.
 */
export interface SyncBounds {
  /** The largest number of members sorted at once, since a sort blocks the thread. */
  readonly chunkMembers: number;
  /** The number of sorted chunks that are held in memory until they are stored as one run. */
  readonly runChunks: number;
  /** The largest number of members appended to a set in one commit, since other writes wait for that commit. */
  readonly appendMembers: number;
  /** The number of runs merged at once, at least two; one page of each run is in memory. */
  readonly mergeRuns: number;
  /** The number of changes that are stored for a destination before its progress is recorded. */
  readonly stepChanges: number;
  /**
   * While the lane of a destination has this number of deliveries or more, a sync stores no changes for that
   * destination.
   */
  readonly laneDeliveries: number;
}

/**
 * The audience methods of a relay. Without an audience store, `audiences` and `audience` find nothing and the others
 * fail with `not-supported`.
 */
export interface Audiences {
  /** Creates an audience. Its key is formed from its name, and never changes. */
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
   * Replaces all members of the audience by `members`, and sends each enabled destination its changes. Resolves once
   * all changes are stored as deliveries; waits while the lane of a destination is too full for more.
   */
  syncAudience(key: string, members: Members, options?: SyncOptions): ResultAsync<SyncReport, SyncFault>;
}
