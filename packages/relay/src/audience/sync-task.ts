// The dependencies of the steps of a sync. A function takes the interface of which it uses all members.

import type { Clock } from "@postrider/core";
import type { MessageQueue } from "../intake/enqueue.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { SyncBounds, SyncOptions, SyncProgress } from "./audiences.js";
import type { LongWork } from "./long-work.js";
import type { SyncDestinations } from "./sync-destinations.js";
import type { SyncLease } from "./sync-lease.js";

/** Needed to drop sets, and to erase users from sets. */
export interface SetTask {
  readonly storage: AudienceStorage;
  readonly work: LongWork;
}

/** Needed to merge lists into a set. */
export interface MergeTask extends SetTask {
  readonly bounds: SyncBounds;
}

/** Needed to collect the members of a sync into one set. */
export interface CollectTask extends MergeTask {
  readonly lease: SyncLease;
  readonly progress: (progress: SyncProgress) => void;
}

/** Needed for all steps before changes are sent. */
export interface PrepareTask extends CollectTask {
  readonly destinations: SyncDestinations;
}

/** Needed to store changes as deliveries. */
export interface StoreTask {
  readonly clock: Clock;
  readonly queue: MessageQueue;
  readonly lease: SyncLease;
  readonly work: LongWork;
}

/** Needed to find and to store changes, one step at a time. */
export interface StepTask extends StoreTask, MergeTask {
  /** Called with the number of further members that have been compared with what a destination knows. */
  readonly onCompared: (members: number) => void;
}

/** Needed to send changes to all destinations. */
export interface SendTask extends StepTask {
  readonly destinations: SyncDestinations;
}

/** Needed to end a sync. */
export interface EndTask extends SetTask {
  readonly clock: Clock;
  readonly lease: SyncLease;
}

/** Needed for a whole sync. */
export interface SyncTask extends PrepareTask, StoreTask, EndTask {}

/** Returns a function that reports progress to the host. */
export function createProgress({ onProgress }: SyncOptions): (progress: SyncProgress) => void {
  return (progress): void => {
    try {
      onProgress?.(progress);
    } catch {
      // The sync goes on, even if the host fails to show its progress.
    }
  };
}
