// Queues the calls that are in the storage and not in memory, oldest first, as soon as there is room: those that an earlier process
// left, and those that had no room when they were made. A stored text that is no call stays in the storage.

import type { Cancel, KeptCall } from "@postrider/core";
import { readKeptCall } from "@postrider/core/batch";
import { STORAGE_PAGE_CALLS, STORAGE_RETRY_MS } from "../limits.js";
import type { Loader, LoaderOptions } from "./loader.js";

export function createLoader({ access, clock, logger, isKnown, adopt, leave }: LoaderOptions): Loader {
  /** True while the storage was not read to its end. */
  let isUnread = true;
  /** The messageId of the next call to be read; undefined for the oldest. */
  let from: string | undefined;
  /** True if the storage is to be read from its oldest call after the page that is being read. */
  let isReset = false;
  /** The messageId of the first call that went to the storage alone since the last page was asked for. */
  let firstBehind: string | undefined;
  /** Calls that were read and have had no room. */
  let page: KeptCall[] = [];
  /** True once a page was read. */
  let hasReadPage = false;
  let isStopped = false;
  let currentRun: Promise<void> | undefined;
  /** True if there was another reason to run while it ran. */
  let runsAgain = false;
  let retryLater: Cancel | undefined;

  /** Queues calls in their order; returns false at the first one without room, which is kept for later. */
  function adoptAll(): boolean {
    for (let [call] = page; call !== undefined; [call] = page) {
      if (!isKnown(call.messageId) && !adoptOne(call)) return false;
      page.shift();
    }
    return true;
  }

  function adoptOne(storedCall: KeptCall): boolean {
    const call = readKeptCall(storedCall);
    if (call !== undefined) return adopt(call);
    logger.log("warning", { code: "calls-left", calls: 1, detail: "unreadable" });
    leave(storedCall.messageId);
    return true;
  }

  // Functions, since both may change while a page is read, which TypeScript does not expect.
  const hasStopped = (): boolean => isStopped;
  const isToBeRead = (): boolean => isReset;

  async function load(): Promise<void> {
    while (!hasStopped() && adoptAll() && isUnread) {
      firstBehind = undefined;
      isReset = false;
      const loaded = await access.load({ from, limit: STORAGE_PAGE_CALLS }, isKnown);
      if (hasStopped()) return;
      page = [...loaded.calls];
      if (loaded.hasFailed) {
        adoptAll();
        retryLater ??= clock.after(STORAGE_RETRY_MS, () => retry(true));
        return;
      }
      hasReadPage = true;
      from = isToBeRead() ? undefined : (loaded.next ?? firstBehind);
      isUnread = isToBeRead() || from !== undefined;
    }
  }

  function retry(isUrgent = false): void {
    if (isStopped || (!isUnread && page.length === 0)) return;
    if (retryLater !== undefined) {
      if (!isUrgent) return void adoptAll();
      retryLater();
      retryLater = undefined;
    }
    runsAgain = currentRun !== undefined;
    currentRun ??= load().finally(() => {
      currentRun = undefined;
      if (runsAgain) retry();
    });
  }

  retry();
  return {
    isBehind: () => isUnread || page.length > 0,
    holdsBack: () => page.length > 0 || (isUnread && (hasReadPage || firstBehind !== undefined)),
    fallBehind: (messageId) => {
      firstBehind ??= messageId;
      if (!isUnread) from = messageId;
      isUnread = true;
    },
    lookAgain: () => {
      [isReset, isUnread, from] = [true, true, undefined];
      retry();
    },
    retry,
    settled: () => currentRun ?? Promise.resolve(),
    stop: () => {
      isStopped = true;
      retryLater?.();
    },
  };
}
