// Reads and writes the storage, one access at a time, and counts the calls in it. Changes that come during an access are written together
// in the next write. Changes that could not be written are tried again with the next write, or after some time.

import type { Cancel, KeptCallPage, KeptCallPageRequest } from "@postrider/core";
import { MAX_UNWRITTEN_BYTES, STORAGE_RETRY_MS } from "../limits.js";
import { type CallChanges, type CallWrite, createWrite } from "./call-write.js";
import type { LoadedCalls, StorageAccess, StorageAccessOptions } from "./storage-access.js";

export function createStorageAccess({ storage, clock, logger, onForgotten }: StorageAccessOptions): StorageAccess {
  /** Collects the changes until it begins. */
  let nextWrite = createWrite();
  let currentWrite: CallWrite | undefined;
  /** The result of the write that began last. */
  let lastWritten = Promise.resolve(true);
  let isWriting = false;
  /** Resolves when the access that was asked for last has ended. */
  let lastAccess: Promise<unknown> = Promise.resolve();
  /** The number of stored calls after the last access. */
  let callCount = 0;
  let isFailing = false;
  let isStopped = false;
  let retryLater: Cancel | undefined;

  function inTurn<T>(access: () => Promise<T>): Promise<T> {
    const result = lastAccess.then(access);
    lastAccess = result.catch(() => undefined);
    return result;
  }

  function writeSoon(): void {
    nextWrite.isDue = true;
    if (!isWriting) void writeAll();
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    // Calls that are made in one turn of the event loop are written together.
    await Promise.resolve();
    while (nextWrite.isDue) await inTurn(writeNext);
    isWriting = false;
  }

  async function writeNext(): Promise<void> {
    const write = (currentWrite = nextWrite);
    nextWrite = createWrite();
    lastWritten = write.written;
    const unwritten = await tryToWrite(write);
    currentWrite = undefined;
    isFailing = unwritten.size > 0;
    if (isFailing) nextWrite.carryOver(unwritten);
    retryLater?.();
    retryLater = isFailing && !isStopped ? clock.after(STORAGE_RETRY_MS, writeSoon) : undefined;
    write.end(!isFailing);
    // Calls whose drops were forgotten are still stored.
    if (write.hasForgotten() || nextWrite.hasForgotten()) onForgotten();
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
    const storedIds = new Set(storedCalls.map(({ messageId }) => messageId));
    const unwritten =
      page?.next === undefined ? nextWrite.keeps().filter(({ messageId }) => !storedIds.has(messageId)) : [];
    const dropped = new Set(nextWrite.drops());
    const calls = [...storedCalls, ...unwritten].filter(
      ({ messageId }) => !isKnown(messageId) && !dropped.has(messageId),
    );
    return { calls, next: page?.next, hasFailed: page === undefined };
  }

  return {
    keep: (call, isNew): void => {
      nextWrite.keep(call, isNew);
      writeSoon();
    },
    drop: (messageId): void => {
      nextWrite.drop(messageId);
      writeSoon();
    },
    written: () => {
      if (nextWrite.changes().size === 0) return lastWritten;
      writeSoon();
      return nextWrite.written;
    },
    load: (request, isKnown) => inTurn(() => loadNow(request, isKnown)),
    stored: () => callCount + (currentWrite?.more() ?? 0) + nextWrite.more(),
    unwritten: () => nextWrite.keeps(),
    takesMore: () => !isFailing && nextWrite.length() < MAX_UNWRITTEN_BYTES,
    stop: () => {
      isStopped = true;
      retryLater?.();
    },
  };
}
