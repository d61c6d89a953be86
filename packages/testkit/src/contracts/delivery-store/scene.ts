// What one case plays on: the store under test, names that no other case uses, a clock that stands still between
// `advance`s, and the few moves that most cases make. Cases share one storage, so a suite needs no more than one.

import type {
  Changes,
  Claimed,
  ClaimedDelivery,
  Committed,
  Counts,
  DeliveryId,
  DeliveryRecord,
  DeliveryStore,
  DestinationId,
  EpochMs,
  LeaseToken,
  NewMessage,
  Outcome,
  Settled,
  Settlement,
  SourceId,
} from "@postrider/core";
import type { DeliveryStoreSupport } from "./harness.js";

/** One promise, and the play that puts it to the test. */
export interface StoreCase {
  readonly name: string;
  readonly needs?: readonly (keyof DeliveryStoreSupport)[];
  play(scene: Scene): Promise<void>;
}

/** How long leases last here. Short, for harnesses that really wait. */
export const LEASE_MS = 1_000;

export interface Scene {
  readonly source: SourceId;
  readonly otherSource: SourceId;
  readonly lane: DestinationId;
  readonly otherLane: DestinationId;
  /** The store, as opened last. */
  store(): DeliveryStore;
  /** Opens the storage once more, beside the store in use. */
  openAnother(): Promise<DeliveryStore>;
  /** Leaves the store as it is, without a word, and opens the storage again. */
  crash(): Promise<void>;
  /** The same, and from now on there is too little room for a large commit. */
  cramp(): Promise<void>;

  now(): EpochMs;
  /** The instant `ms` from now. */
  later(ms: number): EpochMs;
  advance(ms: number): Promise<void>;

  /** A token of this scene. Commits have a new one each, and so have claims unless one is given. */
  readonly token: (name: string) => LeaseToken;
  /** That of the last commit. */
  commitToken(): LeaseToken;
  /** That of the last claim. */
  claimToken(): LeaseToken;
  /** A message of this scene's source to its lane, due now; with whatever is given instead. */
  message(given?: Partial<NewMessage>): NewMessage;
  commit(changes: Partial<Changes>): Promise<Committed>;
  /** Stores a new message, and answers its deliveries. */
  accept(given?: Partial<NewMessage>): Promise<readonly DeliveryId[]>;
  /** Stores a new message, and answers the first of its deliveries. */
  acceptOne(given?: Partial<NewMessage>): Promise<DeliveryId>;
  claim(given?: ClaimGiven): Promise<Claimed>;
  /** The ids of what a claim hands out. */
  claimIds(given?: ClaimGiven): Promise<readonly DeliveryId[]>;
  /** Claims the only delivery that is due. */
  claimOne(given?: ClaimGiven): Promise<ClaimedDelivery>;
  /** Settles one delivery, under the token of the last claim unless another is given. */
  settle(given: SettleGiven): Promise<Settled | undefined>;
  /** Stores a new delivery and settles it at once. */
  finish(outcome: Outcome, given?: FinishGiven): Promise<DeliveryId>;
  record(id: DeliveryId): Promise<DeliveryRecord>;
  /** Expects these counters of a source, and 0 of all others; `received` counts messages, and is left alone unless named. */
  expectCounts(expected: Partial<Counts>, when: string, source?: SourceId): Promise<void>;
}

export interface ClaimGiven {
  readonly lane?: DestinationId;
  readonly limit?: number;
  readonly retries?: number;
  readonly token?: LeaseToken;
  readonly store?: DeliveryStore;
}

export type SettleGiven = Pick<Settlement, "id" | "outcome"> & Partial<Settlement> & { readonly store?: DeliveryStore };

export type FinishGiven = Partial<NewMessage> & Partial<Pick<Settlement, "attempts" | "endpoints">>;
