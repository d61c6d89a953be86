// Brings changes to the storage, one after the other; what comes while one is under way goes together into the next, and
// of each call only its last state. What a storage has failed to write is tried again with the next change, so that
// nothing that is in memory is lost by it.

import type { CallStorage, KeptCall } from "@postrider/core";
import type { Logger } from "../logger.js";
import { MAX_UNWRITTEN } from "../limits.js";

export interface Keeper {
  keep(call: KeptCall): void;
  drop(messageId: string): void;
  /** Resolves when all that has come until now was written, or could not be: whether it was. Never rejects. */
  written(): Promise<boolean>;
}

/** What goes to the storage in one change: a call to keep, or null for one to drop. */
type Changes = Map<string, KeptCall | null>;

interface Round {
  changes: Changes;
  /** Whether it holds more than what an earlier one could not write. */
  isDue: boolean;
  readonly end: (isWritten: boolean) => void;
  readonly written: Promise<boolean>;
}

export function createKeeper(storage: CallStorage, logger: Logger): Keeper {
  let next = createRound();
  let last = Promise.resolve(true);
  let isWriting = false;

  function add(messageId: string, call: KeptCall | null): void {
    next.changes.set(messageId, call);
    hurry();
  }

  function hurry(): void {
    next.isDue = true;
    if (!isWriting) void write();
  }

  async function write(): Promise<void> {
    isWriting = true;
    // What is called in one go is written in one go.
    await Promise.resolve();
    while (next.isDue) {
      const round = next;
      next = createRound();
      last = round.written;
      const isWritten = await tryToWrite(round.changes);
      if (!isWritten) next.changes = carryOver(round.changes, next.changes);
      round.end(isWritten);
    }
    isWriting = false;
  }

  async function tryToWrite(changes: Changes): Promise<boolean> {
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
      hurry();
      return next.written;
    },
  };
}

function createRound(): Round {
  let end: Round["end"] = () => undefined;
  const written = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  return { changes: new Map(), isDue: false, end, written };
}

/** What was not written, before what has come since. A drop that is forgotten costs a call that is sent again. */
function carryOver(unwritten: Changes, since: Changes): Changes {
  const all: Changes = new Map([...unwritten, ...since]);
  if (all.size <= MAX_UNWRITTEN) return all;
  return new Map([...all].filter(([messageId, call]) => call !== null || since.has(messageId)));
}
