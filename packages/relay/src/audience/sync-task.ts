// The dependencies of the steps of a sync. A function takes the interface of which it uses all.

import type { Clock } from "@postrider/core";
import type { MessageQueue } from "../intake/message-queue.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { SyncBounds, SyncOptions, SyncProgress } from "./audiences.js";
import type { LongWork } from "./long-work.js";
import type { SyncDestinations } from "./sync-destinations.js";
import type { SyncLease } from "./sync-lease.js";

/** Sets are dropped or erased from. */
export interface SetTask {
  readonly storage: AudienceStorage;
  readonly work: LongWork;
}

/** Lists are merged into a set. */
export interface MergeTask extends SetTask {
  readonly bounds: SyncBounds;
}

/** The members of a sync become one set. */
export interface CollectTask extends MergeTask {
  readonly lease: SyncLease;
  readonly progress: (progress: SyncProgress) => void;
}

/** Everything until changes can be sent. */
export interface PrepareTask extends CollectTask {
  readonly destinations: SyncDestinations;
}

/** Changes are stored as deliveries. */
export interface StoreTask {
  readonly clock: Clock;
  readonly queue: MessageQueue;
  readonly lease: SyncLease;
  readonly work: LongWork;
}

/** Changes are found and stored, one step at a time. */
export interface StepTask extends StoreTask, MergeTask {
  /** Called with how many more members have been compared with what a destination knows. */
  readonly onCompared: (members: number) => void;
}

/** Changes are sent to all destinations. */
export interface SendTask extends StepTask {
  readonly destinations: SyncDestinations;
}

/** A sync ends. */
export interface EndTask extends SetTask {
  readonly clock: Clock;
  readonly lease: SyncLease;
}

/** A whole sync. */
export interface SyncTask extends PrepareTask, StoreTask, EndTask {}

/** Reports progress to the host. */
export function createProgress({ onProgress }: SyncOptions): (progress: SyncProgress) => void {
  return (progress): void => {
    try {
      onProgress?.(progress);
    } catch {
      // The sync goes on, even if the host fails to show its progress.
    }
  };
}
