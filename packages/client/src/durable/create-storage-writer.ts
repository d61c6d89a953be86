// Makes the writes to the storage, one at a time. Changes that come during a write are written together in the next one,
// with only the last state of each call. Changes that the storage has failed to write are tried again with the next write.

import type { CallStorage, KeptCall } from "@postrider/core";
import type { ClientLogger } from "../logger.js";
import { MAX_UNWRITTEN_CHANGES } from "../limits.js";

export interface StorageWriter {
  keep(call: KeptCall): void;
  drop(messageId: string): void;
  /** Resolves once a write of all changes so far has ended; true if it succeeded. Never rejects. */
  written(): Promise<boolean>;
}

/** By messageId: the call to keep, or null if the stored call is to be dropped. */
type UnwrittenCalls = Map<string, KeptCall | null>;

interface PendingWrite {
  changes: UnwrittenCalls;
  /**
   * Whether the write should start: it has a new change, or a caller waits for it. Failed changes alone do not start
   * it.
   */
  isDue: boolean;
  readonly end: (isWritten: boolean) => void;
  readonly written: Promise<boolean>;
}

export function createStorageWriter(storage: CallStorage, logger: ClientLogger): StorageWriter {
  let next = createWrite();
  let last = Promise.resolve(true);
  let isWriting = false;

  function add(messageId: string, call: KeptCall | null): void {
    next.changes.set(messageId, call);
    writeSoon();
  }

  function writeSoon(): void {
    next.isDue = true;
    if (!isWriting) void write();
  }

  async function write(): Promise<void> {
    isWriting = true;
    // Calls that are made in one turn of the event loop are written together.
    await Promise.resolve();
    while (next.isDue) {
      const current = next;
      next = createWrite();
      last = current.written;
      const isWritten = await tryToWrite(current.changes);
      if (!isWritten) next.changes = carryOver(current.changes, next.changes);
      current.end(isWritten);
    }
    isWriting = false;
  }

  async function tryToWrite(changes: UnwrittenCalls): Promise<boolean> {
    const keep = [...changes.values()].filter((call) => call !== null);
    const drop = [...changes].filter(([, call]) => call === null).map(([messageId]) => messageId);
    try {
      await storage.change({ keep, drop });
      return true;
    } catch {
      logger.log("error", { code: "storage-failed", calls: changes.size });
      return false;
    }
  }

  return {
    keep: (call) => add(call.messageId, call),
    drop: (messageId) => add(messageId, null),
    written: () => {
      if (next.changes.size === 0) return last;
      writeSoon();
      return next.written;
    },
  };
}

function createWrite(): PendingWrite {
  let end: PendingWrite["end"] = () => undefined;
  const written = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  return { changes: new Map(), isDue: false, end, written };
}

/** The unwritten changes, then the new ones. If there are too many, old drops are forgotten: their calls are sent again. */
function carryOver(unwritten: UnwrittenCalls, since: UnwrittenCalls): UnwrittenCalls {
  const all: UnwrittenCalls = new Map([...unwritten, ...since]);
  if (all.size <= MAX_UNWRITTEN_CHANGES) return all;
  return new Map([...all].filter(([messageId, call]) => call !== null || since.has(messageId)));
}
