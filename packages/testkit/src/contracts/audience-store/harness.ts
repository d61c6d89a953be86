// The harness of an audience store that is tested: how to open it.

import type { AudienceStore } from "@postrider/core";
import type { Supported } from "../contract-case.js";

/** What the contract suite of audience stores needs from the store under test. */
export interface AudienceStoreHarness {
  /**
   * Opens the storage under test: the same one each time, empty at first. Opening it again without `close` stands for a
   * crash of the process that had it open, or for a second process beside it.
   */
  open(): Promise<AudienceStore>;
  /**
   * Opens the storage as `open` does, but with too little room for 50,000 more members; how much fits is up to the
   * harness. Absent if `supports.full` gives a reason.
   */
  openCramped?(): Promise<AudienceStore>;
  readonly supports: AudienceStoreSupport;
}

/** What an audience store can do, or the reason why it cannot. */
export interface AudienceStoreSupport {
  /** Written data outlives the process. */
  readonly restart: Supported;
  /** Several processes may have the storage open at the same time. */
  readonly sharing: Supported;
  /** The harness has `openCramped`. Not supported if absent. */
  readonly full?: Supported;
}
