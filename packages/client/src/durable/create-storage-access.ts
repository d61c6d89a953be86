// Reads and writes the storage, one access at a time, and counts the calls in it. Changes that come during an access are written
// together in the next one, with only the last state of each call. Changes that the storage has failed to write are tried again
// with the next write.

import type { CallStorage, KeptCall, KeptCallPage, KeptCallPageRequest } from "@postrider/core";
import type { ClientLogger } from "../logger.js";
import { MAX_UNWRITTEN_BYTES } from "../limits.js";
import { carryOver, createWrite, type UnwrittenCalls } from "./pending-write.js";

export interface StorageAccess {
  keep(call: KeptCall): void;
  drop(messageId: string): void;
  /** Resolves once a write of all changes so far has ended; true if it succeeded. Never rejects. */
  written(): Promise<boolean>;
  /**
   * A page of the calls that are stored, without those that are known or are about to be dropped; the last page ends with the calls
   * that are about to be stored. Resolves with undefined if the storage fails. Never rejects.
   */
  load(request: KeptCallPageRequest, isKnown: (messageId: string) => boolean): Promise<LoadedCalls | undefined>;
  /** How many calls are stored, or are about to be. */
  stored(): number;
  /** Whether a call that is only stored would be safe: the last write succeeded, and not too many bytes wait for the next. */
  takesMore(): boolean;
}

/** A page without its number of calls. */
export type LoadedCalls = Omit<KeptCallPage, "stored">;

export function createStorageAccess(storage: CallStorage, logger: ClientLogger): StorageAccess {
  let next = createWrite();
  let last = Promise.resolve(true);
  let isWriting = false;
  let turn: Promise<unknown> = Promise.resolve();
  let stored = 0;
  let isFailing = false;

  function inTurn<T>(access: () => Promise<T>): Promise<T> {
    const done = turn.then(access);
    turn = done.catch(() => undefined);
    return done;
  }

  function add(messageId: string, call: KeptCall | null): void {
    next.changes.set(messageId, call);
    const more = call === null ? -1 : 1;
    stored += more;
    next.more += more;
    next.length += call?.json.length ?? 0;
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
    while (next.isDue) await inTurn(writeNext);
    isWriting = false;
  }

  async function writeNext(): Promise<void> {
    const current = next;
    next = createWrite();
    last = current.written;
    const isWritten = await tryToWrite(current.changes);
    isFailing = !isWritten;
    if (isFailing) {
      next.changes = carryOver(current.changes, next.changes);
      next.more += current.more;
      next.length += current.length;
    }
    current.end(isWritten);
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

  async function loadNow(
    request: KeptCallPageRequest,
    isKnown: (messageId: string) => boolean,
  ): Promise<LoadedCalls | undefined> {
    try {
      const page = await storage.load(request);
      stored = page.stored + next.more;
      const unwritten = page.next === undefined ? [...next.changes.values()].filter((call) => call !== null) : [];
      const calls = [...page.calls, ...unwritten].filter(
        ({ messageId }) => !isKnown(messageId) && next.changes.get(messageId) !== null,
      );
      return { calls, next: page.next };
    } catch {
      logger.log("error", { code: "storage-failed" });
      return undefined;
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
    load: (request, isKnown) => inTurn(() => loadNow(request, isKnown)),
    stored: () => stored,
    takesMore: () => !isFailing && next.length < MAX_UNWRITTEN_BYTES,
  };
}
