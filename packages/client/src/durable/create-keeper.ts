// Brings changes to the storage, one after the other; what comes while one is under way goes together into the next, and
// of each call only its last state. A storage that fails loses nothing that is in memory.

import type { Logger } from "../logger.js";
import type { CallStorage, KeptCall } from "./call-storage.js";

export interface Keeper {
  keep(call: KeptCall): void;
  drop(messageId: string): void;
  /** Resolves when nothing is left to be written. Never rejects. */
  idle(): Promise<void>;
}

export function createKeeper(storage: CallStorage, logger: Logger): Keeper {
  /** What is to be written: a call to keep, or null for one to drop. */
  let changes = new Map<string, KeptCall | null>();
  let writing: Promise<void> | undefined;

  function start(): void {
    writing ??= write().finally(() => {
      writing = undefined;
    });
  }

  async function write(): Promise<void> {
    // What is called in one go is written in one go.
    await Promise.resolve();
    while (changes.size > 0) {
      const taken = changes;
      changes = new Map();
      const keep = [...taken.values()].filter((call) => call !== null);
      const drop = [...taken].filter(([, call]) => call === null).map(([messageId]) => messageId);
      await storage
        .change({ keep, drop })
        .catch(() => logger.log("error", { code: "storage-failed", calls: taken.size }));
    }
  }

  return {
    keep: (call): void => {
      changes.set(call.messageId, call);
      start();
    },
    drop: (messageId): void => {
      changes.set(messageId, null);
      start();
    },
    idle: async (): Promise<void> => {
      while (writing !== undefined) await writing;
    },
  };
}
