// Keeps the progress of the syncs whose members were uploaded to this process: the record in the store has less detail,
// and is updated later. Each audience has at most one entry, which is removed when its sync has ended. Knows no records
// and no requests.

import type { SyncProgress } from "@postrider/relay";

export interface ProgressByAudience {
  note(key: string, progress: SyncProgress): void;
  progressOf(key: string): SyncProgress | undefined;
  forget(key: string): void;
}

export function createProgressByAudience(): ProgressByAudience {
  const progress = new Map<string, SyncProgress>();
  return {
    note: (key, latest) => void progress.set(key, latest),
    progressOf: (key) => progress.get(key),
    forget: (key) => void progress.delete(key),
  };
}
