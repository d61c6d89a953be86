// What every step of a sync is handed: its lease, and how it lets other work have its turn.

import type { Clock } from "@postrider/core";
import type { RelayContext } from "../context.js";
import { TURN_MS } from "../limits.js";
import { pause } from "../storage/pause.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { SyncBounds, SyncOptions, SyncProgress } from "./audiences.js";
import type { SyncLease } from "./sync-lease.js";

export interface SyncTask {
  readonly context: RelayContext;
  readonly storage: AudienceStorage;
  readonly bounds: SyncBounds;
  readonly lease: SyncLease;
  /** There may be something to deliver. */
  readonly deliver: () => void;
  readonly shouldContinue: () => boolean;
  readonly progress: (progress: SyncProgress) => void;
  readonly yieldIfLong: YieldIfLong;
}

/** A sync whose members are all there. */
export interface SendingTask extends SyncTask {
  /** So many more members have been compared with what a destination knows. */
  readonly onCompared: (members: number) => void;
}

/**
 * Lets all other work have its turn, if this one has had the thread for long; otherwise undefined, since most times there
 * is nothing to wait for.
 */
export type YieldIfLong = () => Promise<void> | undefined;

export function createYieldIfLong(clock: Clock): YieldIfLong {
  let since = clock.monotonic();

  async function rest(): Promise<void> {
    await pause(clock, 0);
    since = clock.monotonic();
  }

  return () => (clock.monotonic() - since < TURN_MS ? undefined : rest());
}

/** Tells the host how far it is. */
export function createProgress({ onProgress }: SyncOptions): (progress: SyncProgress) => void {
  return (progress): void => {
    try {
      onProgress?.(progress);
    } catch {
      // The sync goes on, whatever becomes of the bar that shows it.
    }
  };
}
