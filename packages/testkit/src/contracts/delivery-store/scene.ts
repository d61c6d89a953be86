// The scene of one case: the store under test, names that no other case uses, a clock that moves only by `advance`, and
// the operations that most cases need. Cases share one storage, so a suite needs only one.

import type {
  Changes,
  ClaimResult,
  ClaimedDelivery,
  CommitResult,
  Counts,
  DeliveryId,
  DeliveryRecord,
  DeliveryStore,
  DestinationId,
  EpochMs,
  LeaseToken,
  NewMessage,
  Outcome,
  SettleResult,
  Settlement,
  SourceId,
} from "@postrider/core";
import type { GateControl } from "./gate.js";
import type { DeliveryStoreSupport, HostTransaction, StoreWithEnd } from "./harness.js";
import type { Race } from "./race.js";

/** One promise, and the case that tests it. */
export interface StoreCase {
  readonly name: string;
  readonly needs?: readonly (keyof DeliveryStoreSupport)[];
  play(scene: Scene): Promise<void>;
}

/** A promise about two calls of delivery stores at the same time. */
export type StoreRace = Race<Scene, DeliveryStore, keyof DeliveryStoreSupport>;

/** The length of leases in these cases. Short, for harnesses that really wait. */
export const LEASE_MS = 1_000;

export interface Scene {
  /** A name that only this run of the case uses, or a prefix of several. */
  uniqueName(name: string): string;
  readonly source: SourceId;
  readonly otherSource: SourceId;
  readonly lane: DestinationId;
  readonly otherLane: DestinationId;
  /** The store, as opened last. */
  store(): DeliveryStore;
  /** Opens the storage once more, beside the store in use. */
  openAnother(): Promise<DeliveryStore>;
  /** Opens the storage again without closing the store, as after a crash. */
  crash(): Promise<void>;
  /** Opens the storage again after the store was closed. */
  reopen(): Promise<void>;
  /** Opens the storage again as after a crash, now with too little room for a large commit. */
  reopenCramped(): Promise<void>;
  /** Opens the storage once more, as a store with a clock. */
  openWithClock(): Promise<DeliveryStore>;
  /** Opens a damaged copy of the storage. */
  openDamaged(): Promise<DeliveryStore>;
  /** Opens the storage once more, as a store that can end by itself. */
  openWithEnd(): Promise<StoreWithEnd>;
  /** Begins a transaction of a host in the database of the outbox. */
  beginTransaction(): Promise<HostTransaction>;
  /** Waits about as long as a hint needs. */
  awaitHint(): Promise<void>;
  /** True if each access to the storage passes a gate. */
  readonly isGated: boolean;
  /** The gates of all stores that are opened in this scene. */
  readonly gates: GateControl;
  /** The same store with names that are used nowhere else, so that a case can be played once more. */
  anew(): Scene;

  now(): EpochMs;
  /** The instant `ms` from now. */
  later(ms: number): EpochMs;
  advance(ms: number): Promise<void>;

  /** A token that only this scene uses. Each commit, and each claim that gives no token, has a new token. */
  readonly token: (name: string) => LeaseToken;
  newToken(): LeaseToken;
  /** The token of the last commit. */
  commitToken(): LeaseToken;
  /** The token of the last claim. */
  claimToken(): LeaseToken;
  /** A message of this scene's source to its lane, due now, with the given fields changed. */
  message(fields?: Partial<NewMessage>): NewMessage;
  commit(changes: Partial<Changes>, store?: DeliveryStore): Promise<CommitResult>;
  /** Stores a new message, and returns the ids of its deliveries. */
  accept(fields?: Partial<NewMessage>): Promise<readonly DeliveryId[]>;
  /** Stores a new message, and returns the id of its first delivery. */
  acceptOne(fields?: Partial<NewMessage>): Promise<DeliveryId>;
  claim(options?: ClaimOptions): Promise<ClaimResult>;
  /** Claims, and returns the ids of the deliveries. */
  claimIds(options?: ClaimOptions): Promise<readonly DeliveryId[]>;
  /** Claims the only delivery that is due. */
  claimOne(options?: ClaimOptions): Promise<ClaimedDelivery>;
  /** Settles one delivery, under the token of the last claim unless another is given. */
  settle(options: SettleOptions): Promise<SettleResult | undefined>;
  /** Stores a new delivery and settles it at once. */
  finish(outcome: Outcome, options?: FinishOptions): Promise<DeliveryId>;
  record(id: DeliveryId): Promise<DeliveryRecord>;
  /**
   * Expects these counters of a source, and 0 for those that are not named; `received` is compared only if it is named.
   */
  expectCounts(expected: Partial<Counts>, when: string, source?: SourceId): Promise<void>;
}

export interface ClaimOptions {
  readonly lane?: DestinationId;
  readonly limit?: number;
  readonly retries?: number;
  readonly token?: LeaseToken;
  readonly store?: DeliveryStore;
}

export type SettleOptions = Pick<Settlement, "id" | "outcome"> &
  Partial<Settlement> & { readonly store?: DeliveryStore };

export type FinishOptions = Partial<NewMessage> & Partial<Pick<Settlement, "attempts" | "endpoints">>;
