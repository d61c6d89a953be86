// What it takes to carry requests about users out in an audience, and what may keep it from being done.

import type { RelayContext } from "../context.js";
import type { StoreFault } from "../storage/storage.js";
import type { AudienceStorage, NoSuchAudience } from "./audience-storage.js";
import type { SyncTask } from "./sync-task.js";

export interface Erasing extends Pick<SyncTask, "yieldIfLong" | "shouldContinue"> {
  readonly context: Pick<RelayContext, "storage">;
  readonly storage: AudienceStorage;
}

export type EraseFault = StoreFault | NoSuchAudience | { readonly code: "stopped" };
