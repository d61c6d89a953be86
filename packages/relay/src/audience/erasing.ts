// The dependencies of carrying out requests about users in an audience, and the faults that may prevent it.

import type { RelayContext } from "../context.js";
import type { StoreFault } from "../storage/storage.js";
import type { AudienceStorage, NoSuchAudience } from "./audience-storage.js";
import type { SyncTask } from "./sync-task.js";

export interface Erasing extends Pick<SyncTask, "yieldIfLong" | "shouldContinue"> {
  readonly context: Pick<RelayContext, "storage">;
  readonly storage: AudienceStorage;
}

export type EraseFault = StoreFault | NoSuchAudience | { readonly code: "stopped" };
