// How far the syncs are that came in here, for whoever asks: a record in the store says less, and later. One entry for
// each audience at most, gone when its sync has ended.

import type { SyncProgress } from "@postrider/relay";

export interface SyncBook {
  note(key: string, progress: SyncProgress): void;
  progressOf(key: string): SyncProgress | undefined;
  forget(key: string): void;
}

export function createSyncBook(): SyncBook {
  const progress = new Map<string, SyncProgress>();
  return {
    note: (key, latest) => void progress.set(key, latest),
    progressOf: (key) => progress.get(key),
    forget: (key) => void progress.delete(key),
  };
}
