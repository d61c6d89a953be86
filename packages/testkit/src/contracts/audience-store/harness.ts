// The harness of an audience store that is tested: how to open it.

import type { AudienceStore } from "@postrider/core";
import type { Supported, NeededMember } from "../contract-case.js";
import type { StorageGate } from "../delivery-store/gate.js";

/** The means by which the contract suite of audience stores opens the store under test. */
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
  /**
   * Opens the storage as `open` does, and leads each of the store's accesses to it through the gate. Absent if both
   * `supports.interleaving` and `supports.faults` give a reason.
   */
  openGated?(gate: StorageGate): Promise<AudienceStore>;
  readonly supports: AudienceStoreSupport;
}

/** The abilities of an audience store, each true or the reason why it is missing. */
export interface AudienceStoreSupport {
  /** Written data outlives the process. */
  readonly restart: Supported;
  /** Several processes may have the storage open at the same time. */
  readonly sharing: Supported;
  /** The harness has `openCramped`. Not supported if absent. */
  readonly full?: Supported;
  /**
   * Each access to the storage passes the gate of `openGated`. If absent or not supported, as for a store whose calls are
   * synchronous, the cases of calls at the same time are run without it, each 20 times.
   */
  readonly interleaving?: Supported;
  /** `openGated` asks the gate for faults, and throws them as its driver would. Not supported if absent. */
  readonly faults?: Supported;
}

/** The members that each supported part needs of the harness. */
export const NEEDED_BY_PART: Readonly<
  Record<keyof AudienceStoreSupport, NeededMember<AudienceStoreHarness, AudienceStore>>
> = {
  restart: {},
  sharing: {},
  full: { harness: "openCramped" },
  interleaving: { harness: "openGated" },
  faults: { harness: "openGated" },
};
