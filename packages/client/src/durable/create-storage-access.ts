// Reads and writes the storage, one access at a time, and counts the calls in it. Changes that come during an access are written together
// in the next one. Changes that could not be written are tried again with the next write, or after some time.

import type { Cancel, KeptCallPage, KeptCallPageRequest } from "@postrider/core";
import { MAX_UNWRITTEN_BYTES, STORAGE_RETRY_MS } from "../limits.js";
import { type CallChanges, type CallWrite, createWrite } from "./call-write.js";
import type { LoadedCalls, StorageAccess, StorageAccessOptions } from "./storage-access.js";

export function createStorageAccess({ storage, clock, logger, onForgotten }: StorageAccessOptions): StorageAccess {
  let next = createWrite();
  let current: CallWrite | undefined;
  let last = Promise.resolve(true);
  let isWriting = false;
  let turn: Promise<unknown> = Promise.resolve();
  /** The number of stored calls after the last access. */
  let callCount = 0;
  let isFailing = false;
  let isStopped = false;
  let retryLater: Cancel | undefined;

  function inTurn<T>(access: () => Promise<T>): Promise<T> {
    const result = turn.then(access);
    turn = result.catch(() => undefined);
    return result;
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
    const currentWrite = (current = next);
    next = createWrite();
    last = currentWrite.written;
    const unwritten = await tryToWrite(currentWrite);
    current = undefined;
    isFailing = unwritten.size > 0;
    if (isFailing) next.carryOver(unwritten);
    retryLater?.();
    retryLater = isFailing && !isStopped ? clock.after(STORAGE_RETRY_MS, writeSoon) : undefined;
    currentWrite.end(!isFailing);
    if (currentWrite.hasForgotten() || next.hasForgotten()) onForgotten();
  }

  /** Returns the changes that are not written. Where not all calls fit, or a write has failed, drops are written first. */
  async function tryToWrite(write: CallWrite): Promise<CallChanges> {
    const unwritten = new Map(write.changes());
    const [keep, drop] = [write.keeps(), write.drops()];
    try {
      const isWhole = !isFailing && keep.length <= storage.maxCalls - callCount;
      if (isWhole || drop.length > 0) callCount = await storage.change({ keep: isWhole ? keep : [], drop });
      for (const messageId of drop) unwritten.delete(messageId);
      const fitting = isWhole ? keep : keep.slice(0, Math.max(0, storage.maxCalls - callCount));
      if (!isWhole && fitting.length > 0) callCount = await storage.change({ keep: fitting, drop: [] });
      for (const { messageId } of fitting) unwritten.delete(messageId);
    } catch {
      logger.log("error", { code: "storage-failed", calls: unwritten.size });
    }
    return unwritten;
  }

  async function readPage(request: KeptCallPageRequest): Promise<KeptCallPage | undefined> {
    try {
      const page = await storage.load(request);
      callCount = page.stored;
      return page;
    } catch {
      logger.log("error", { code: "storage-failed" });
      return undefined;
    }
  }

  async function loadNow(request: KeptCallPageRequest, isKnown: (id: string) => boolean): Promise<LoadedCalls> {
    const page = await readPage(request);
    const storedCalls = page?.calls ?? [];
    const names = new Set(storedCalls.map(({ messageId }) => messageId));
    const unwritten = page?.next === undefined ? next.keeps().filter(({ messageId }) => !names.has(messageId)) : [];
    const dropped = new Set(next.drops());
    const calls = [...storedCalls, ...unwritten].filter(
      ({ messageId }) => !isKnown(messageId) && !dropped.has(messageId),
    );
    return { calls, next: page?.next, hasFailed: page === undefined };
  }

  return {
    keep: (call, isNew): void => {
      next.keep(call, isNew);
      writeSoon();
    },
    drop: (messageId): void => {
      next.drop(messageId);
      writeSoon();
    },
    written: () => {
      if (next.changes().size === 0) return last;
      writeSoon();
      return next.written;
    },
    load: (request, isKnown) => inTurn(() => loadNow(request, isKnown)),
    stored: () => callCount + (current?.more() ?? 0) + next.more(),
    unwritten: () => next.keeps(),
    takesMore: () => !isFailing && next.length() < MAX_UNWRITTEN_BYTES,
    stop: () => {
      isStopped = true;
      retryLater?.();
    },
  };
}
