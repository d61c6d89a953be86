// The dependencies of each step of a sync: its lease, and a way to let other work run.

import type { Clock } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import type { RelayContext } from "../context.js";
import { TURN_MS } from "../limits.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { SyncBounds, SyncOptions, SyncProgress } from "./audiences.js";
import type { SyncLease } from "./sync-lease.js";

export interface SyncTask {
  readonly context: RelayContext;
  readonly storage: AudienceStorage;
  readonly bounds: SyncBounds;
  readonly lease: SyncLease;
  /** Called when there may be something to deliver. */
  readonly deliver: () => void;
  readonly shouldContinue: () => boolean;
  readonly progress: (progress: SyncProgress) => void;
  readonly yieldIfLong: YieldIfLong;
}

/** A sync that has collected all its members. */
export interface SendingTask extends SyncTask {
  /** Called with how many more members have been compared with what a destination knows. */
  readonly onCompared: (members: number) => void;
}

/**
 * Lets other work run if this work has used the thread for long; otherwise returns undefined, since usually there is nothing
 * to wait for.
 */
export type YieldIfLong = () => Promise<void> | undefined;

export function createYieldIfLong(clock: Clock): YieldIfLong {
  let since = clock.monotonic();

  async function rest(): Promise<void> {
    await pauseFor(clock, 0);
    since = clock.monotonic();
  }

  return () => (clock.monotonic() - since < TURN_MS ? undefined : rest());
}

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
