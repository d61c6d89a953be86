// The harness with which an adapter of the call storage runs its contract.

import type { CallStorage } from "@postrider/core";
import type { Supported } from "../contract-case.js";

/** What a call storage can do, or the reason why it cannot. */
export interface CallStorageSupport {
  /** Opening again without closing shows what was stored, as after a crash. */
  readonly restart: Supported;
}

/** What the contract suite of call storages needs from the storage under test. */
export interface CallStorageHarness {
  /**
   * Opens the storage of this name, which is new and empty the first time. `maxCalls` is how many calls it has room for;
   * 2,000 or more if absent.
   */
  open(name: string, maxCalls?: number): Promise<CallStorage>;
  readonly supports: CallStorageSupport;
}
