// The harness of a delivery store that is tested: how to open it, and how time passes.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import type { Supported } from "../contract-case.js";

/** What the contract suite of delivery stores needs from the store under test. */
export interface DeliveryStoreHarness {
  /**
   * Opens the storage under test: the same one each time, empty at first. Opening it again without `close` stands for a
   * crash of the process that had it open, or for a second process beside it.
   */
  open(): Promise<DeliveryStore>;
  /** The wall clock; never goes back. */
  now(): EpochMs;
  /** Advances a manual clock by `ms`, or waits until `ms` have passed on a real one. */
  advance(ms: number): Promise<void>;
  /**
   * Opens the storage as `open` does, but with too little room for a commit of 2,500 messages of 1 KiB; how much fits
   * is up to the harness. Absent if `supports.full` gives a reason.
   */
  openCramped?(): Promise<DeliveryStore>;
  readonly supports: DeliveryStoreSupport;
}

/** What a delivery store can do, or the reason why it cannot. */
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
}
