// The harness of a delivery store that is tested: how to open it, and how time passes.

import type { DeliveryStore, EpochMs, RunStatement } from "@postrider/core";
import type { Supported, NeededMember } from "../contract-case.js";
import type { StorageGate } from "./gate.js";

/** The means by which the contract suite of delivery stores opens the store under test. */
export interface DeliveryStoreHarness {
  /**
   * Opens the storage under test: the same one each time, empty at first. Opening it again without `close` stands for a
   * crash of the process that had it open, or for a second process beside it. The store has no `clock`: cases say what time it is.
   */
  open(): Promise<DeliveryStore>;
  /** The wall clock; never goes back. */
  now(): EpochMs;
  /** Advances a manual clock by `ms`, or waits until `ms` have passed on a real one. */
  advance(ms: number): Promise<void>;
  /**
   * Opens the storage as `open` does, and leads each of the store's accesses to it through the gate. Absent if both
   * `supports.interleaving` and `supports.faults` give a reason.
   */
  openGated?(gate: StorageGate): Promise<DeliveryStore>;
  /**
   * Opens the storage as `open` does, with all that is stored, but with too little room for a commit of 2,500 messages of 1 KiB
   * (about 2.5 MB), which must reject as `full`. What the storage has already must stay readable. If `settlingWhenFull` is supported, a
   * settlement must still fit; otherwise it need not. The limit ends with this store: a later `open` has room again.
   * Absent if `supports.full` gives a reason.
   */
  openCramped?(): Promise<DeliveryStore>;
  /**
   * Opens the storage as `open` does, as a store with `clock`. What `now` of the harness tells is the time of that clock. Absent if
   * `supports.clock` gives a reason.
   */
  openWithClock?(): Promise<DeliveryStore>;
  /**
   * Opens a copy of the storage that it has damaged first, in another way each time: cut short, overwritten in part, a file
   * removed. It may reject as `corrupt` or `unavailable`. Called while no store is open. Absent if `supports.damage` gives a
   * reason.
   */
  openDamaged?(): Promise<DeliveryStore>;
  /**
   * Begins a transaction of a host, on a connection that no other transaction has, in the database in which the store has its outbox: the
   * one of the store that `open` or `openGated` has opened last. Absent if `supports.outbox` gives a reason.
   */
  beginTransaction?(): Promise<HostTransaction>;
  /**
   * Waits about as long as a hint needs on its way. Cases tell a hint again up to 200 times, each time followed by this, until it was
   * heard. Absent if `supports.hints` gives a reason.
   */
  awaitHint?(): Promise<void>;
  /** Opens the storage as `open` does, as a store that can end by itself. Absent if `supports.onEnd` gives a reason. */
  openWithEnd?(): Promise<StoreWithEnd>;
  readonly supports: DeliveryStoreSupport;
}

/** A transaction of a host, which ends once. */
export interface HostTransaction {
  /** Runs a statement, as the host's library does it; rejects with what that library throws. */
  readonly run: RunStatement;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

/** A store, and what ends it without `close`. */
export interface StoreWithEnd {
  readonly store: DeliveryStore;
  /** Ends the store as a fault does: as if its thread died. Called once. */
  readonly end: () => Promise<void>;
}

/** The abilities of a delivery store, each true or the reason why it is missing. */
export interface DeliveryStoreSupport {
  /** Committed changes outlive the process. */
  readonly restart: Supported;
  /** Several processes may have the storage open at the same time. */
  readonly sharing: Supported;
  /** `advance` can pass a day. */
  readonly days: Supported;
  /** The harness has `openCramped`. Not supported if absent. */
  readonly full?: Supported;
  /** Settlements are stored although there is no room for messages. Not supported if absent. */
  readonly settlingWhenFull?: Supported;
  /** The store has `deletions`. Not supported if absent. */
  readonly deletions?: Supported;
  /** The store has `records`. Not supported if absent. */
  readonly records?: Supported;
  /** The store has `laneChanges`. Not supported if absent. */
  readonly laneChanges?: Supported;
  /** The store has `board`. Not supported if absent. */
  readonly board?: Supported;
  /** The harness has `openWithClock`. Not supported if absent. */
  readonly clock?: Supported;
  /**
   * A sweep removes all that its instants say, up to its limit. Supported if absent. If not, as for a store that removes whole tables
   * at once, it may leave delivered ones for later and may remove more than its limit, but nothing that finished too late.
   */
  readonly exactSweeps?: Supported;
  /** Claims return the `traceparent` of a message. Not supported if absent. */
  readonly traceparents?: Supported;
  /**
   * Each access to the storage passes the gate of `openGated`. If absent or not supported, as for a store whose calls are
   * synchronous, the cases of calls at the same time are run without it, each 20 times.
   */
  readonly interleaving?: Supported;
  /** `openGated` asks the gate for faults, and throws them as its driver would. Not supported if absent. */
  readonly faults?: Supported;
  /** The harness has `openDamaged`. Not supported if absent. */
  readonly damage?: Supported;
  /** The store has `outbox`, and the harness has `beginTransaction`. Not supported if absent. */
  readonly outbox?: Supported;
  /** The store has `hints`, and the harness has `awaitHint`. Not supported if absent. */
  readonly hints?: Supported;
  /** The harness has `openWithEnd`, whose stores have `onEnd`. Not supported if absent. */
  readonly onEnd?: Supported;
}

/** The members that each supported part needs of the harness or its store. */
export const NEEDED_BY_PART: Readonly<
  Record<keyof DeliveryStoreSupport, NeededMember<DeliveryStoreHarness, DeliveryStore>>
> = {
  restart: {},
  sharing: {},
  days: {},
  full: { harness: "openCramped" },
  settlingWhenFull: { harness: "openCramped" },
  deletions: { store: "deletions" },
  records: { store: "records" },
  laneChanges: { store: "laneChanges" },
  board: { store: "board" },
  clock: { harness: "openWithClock" },
  exactSweeps: {},
  traceparents: {},
  interleaving: { harness: "openGated" },
  faults: { harness: "openGated" },
  damage: { harness: "openDamaged" },
  outbox: { harness: "beginTransaction", store: "outbox" },
  hints: { harness: "awaitHint", store: "hints" },
  onEnd: { harness: "openWithEnd" },
};

/**
 * The support of a store that has nothing beyond the required methods yet, for this reason. A part is supported by a later
 * `true`: `{ ...supportsNothing("comes later"), restart: true }`.
 */
export function supportsNothing(reason: string): Required<DeliveryStoreSupport> {
  const parts = Object.keys(NEEDED_BY_PART) as readonly (keyof DeliveryStoreSupport)[];
  return Object.fromEntries(parts.map((part) => [part, { reason }])) as Required<DeliveryStoreSupport>;
}
